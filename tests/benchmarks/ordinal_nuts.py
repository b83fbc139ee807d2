"""The same model in NumPyro, sampled by its NUTS: the outside reference for `bench_ordinal.py`."""

from __future__ import annotations

import time
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
import numpyro
import numpyro.distributions as dist
from numpyro.infer import MCMC, NUTS

from panelcal import Ratings

numpyro.enable_x64()


@dataclass(frozen=True, slots=True)
class NutsFit:
    """Draws (chains, iterations, n, Q) of the scores, (chains, iterations, Q) of tau, and the seconds it took."""

    scores: np.ndarray
    tau: np.ndarray
    spread: np.ndarray
    seconds: float


def _model(ratings: Ratings, plain: bool) -> None:
    n, M, Q, L = ratings.n_objects, ratings.n_assessors, ratings.n_features, ratings.n_cutpoints
    P = Q * L
    first = np.arange(P) % L == 0
    increment = np.log(4.0 / (L - 1)) if L + 1 > 7 else 0.0
    centre = numpyro.sample(
        "centre", dist.Normal(np.where(first, -1.0, increment), np.where(first, 1.0, 0.5)).to_event(1)
    )
    tau = numpyro.sample("tau", dist.Exponential(1.0).expand([Q]).to_event(1))
    spread = numpyro.sample("spread", dist.Exponential(1.0).expand([P]).to_event(1))
    objects = numpyro.sample("objects", dist.Normal(0.0, 1.0).expand([n, Q]).to_event(2))
    assessors = numpyro.sample("assessors", dist.Normal(0.0, 1.0).expand([M, P]).to_event(2))
    if Q > 1:
        scale = tau[:, None] * numpyro.sample("features", dist.LKJCholesky(Q, 2.0))
    else:
        scale = tau[:, None]
    scores = numpyro.deterministic("scores", objects @ scale.T)
    factor = numpyro.sample("cutpoints", dist.LKJCholesky(P, 2.0))
    eta = (centre + assessors @ (spread[:, None] * factor).T).reshape(M, Q, L)
    cuts = jnp.cumsum(jnp.concatenate([eta[..., :1], jnp.exp(eta[..., 1:])], axis=2), axis=2)
    row, q = np.nonzero(ratings.ratings >= 0)
    i, j, level = ratings.object_index[row], ratings.assessor_index[row], ratings.ratings[row, q].astype(np.intp)
    if plain:
        numpyro.sample("y", dist.OrderedLogistic(scores[i, q], cuts[j, q]), obs=level)
        return
    # The quickest form we found: only the cut-points next to each rating, and the logarithm of their gap apart.
    below, above = level < L, level > 0
    inner = below & above
    numpyro.factor("below", jax.nn.log_sigmoid((cuts[j, q, level] - scores[i, q])[below]).sum())
    numpyro.factor("above", jax.nn.log_sigmoid((scores[i, q] - cuts[j, q, level - 1])[above]).sum())
    gap = (cuts[j, q, level] - cuts[j, q, level - 1])[inner]
    numpyro.factor("between", jnp.log(-jnp.expm1(-gap)).sum())


def sample(
    ratings: Ratings, *, chains: int, warm_up: int, iterations: int, seed: int = 0, plain: bool = False
) -> NutsFit:
    """Run NUTS; the seconds include compilation, as they do for its users. `plain`: NumPyro's own OrderedLogistic."""
    started = time.perf_counter()
    mcmc = MCMC(
        NUTS(_model),
        num_warmup=warm_up,
        num_samples=iterations,
        num_chains=chains,
        chain_method="sequential",
        progress_bar=False,
    )
    mcmc.run(jax.random.PRNGKey(seed), ratings, plain)
    draws = mcmc.get_samples(group_by_chain=True)
    scores = np.asarray(draws["scores"])
    return NutsFit(
        scores=scores,
        tau=np.asarray(draws["tau"]),
        spread=np.asarray(draws["spread"]),
        seconds=time.perf_counter() - started,
    )
