"""Ordered ratings in several criteria in NumPyro, sampled by its NUTS: the outside reference for `bench_criteria.py`.

The model is written anew from its description in docs/ordinal.md, nothing taken from the package but the ratings: the
difficulties and leanings as normal numbers less their mean, cut-points of an assessor as multivariate normal.
"""

from __future__ import annotations

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
class NutsFacets:
    """Draws by NUTS, chains first, then iterations: values (n, K), difficulties (K,), leanings (M, K), cuts (M, L).

    `scales` are tau, omega (K), kappa and eta.
    """

    values: np.ndarray
    difficulties: np.ndarray
    leanings: np.ndarray
    cuts: np.ndarray
    scales: np.ndarray


def _centred(normal: jnp.ndarray) -> jnp.ndarray:
    """Take off the mean over the last axis, and leave the variance of each number as it was."""
    count = normal.shape[-1]
    return (normal - normal.mean(axis=-1, keepdims=True)) * jnp.sqrt(count / (count - 1))


def _model(ratings: Ratings) -> None:
    n, M, K, L = ratings.n_objects, ratings.n_assessors, ratings.n_features, ratings.n_cutpoints
    P = len(ratings.ratings)
    tau = numpyro.sample("tau", dist.Exponential(1.0))
    omega = numpyro.sample("omega", dist.Exponential(1.0).expand([K]).to_event(1))
    kappa = numpyro.sample("kappa", dist.Exponential(1.0))
    eta = numpyro.sample("eta", dist.Exponential(1.0))
    whole = numpyro.sample("whole", dist.Normal(0.0, 1.0).expand([n]).to_event(1))
    own = numpyro.sample("own", dist.Normal(0.0, 1.0).expand([n, K]).to_event(2))
    halo = numpyro.sample("halo", dist.Normal(0.0, 1.0).expand([P]).to_event(1))
    values = numpyro.deterministic("values", tau * whole[:, None] + omega * own)
    hard = numpyro.sample("hard", dist.Normal(0.0, 1.0).expand([K]).to_event(1))
    difficulties = numpyro.deterministic("difficulties", _centred(hard))
    lean = numpyro.sample("lean", dist.Normal(0.0, 1.0).expand([M, K]).to_event(2))
    leanings = numpyro.deterministic("leanings", kappa * _centred(lean))
    centre_first = numpyro.sample("centre_first", dist.Normal(-1.0, 1.0))
    centre_rest = numpyro.sample("centre_rest", dist.Normal(0.0, 0.5).expand([L - 1]).to_event(1))
    spread = numpyro.sample("spread", dist.Exponential(1.0).expand([L]).to_event(1))
    factor = numpyro.sample("factor", dist.LKJCholesky(L, 2.0))
    steps = numpyro.sample("steps", dist.Normal(0.0, 1.0).expand([M, L]).to_event(2))
    eta_j = jnp.concatenate([centre_first[None], centre_rest]) + steps @ (spread[:, None] * factor).T
    cuts = numpyro.deterministic(
        "cuts", jnp.cumsum(jnp.concatenate([eta_j[:, :1], jnp.exp(eta_j[:, 1:])], axis=1), axis=1)
    )
    row, k = np.nonzero(ratings.ratings >= 0)
    i, j = ratings.object_index[row], ratings.assessor_index[row]
    score = values[i, k] + eta * halo[row]
    shifted = cuts[j] + (difficulties[k] + leanings[j, k])[:, None]
    numpyro.sample("y", dist.OrderedLogistic(score, shifted), obs=ratings.ratings[row, k].astype(np.intp))


def sample(ratings: Ratings, *, chains: int, warm_up: int, iterations: int, seed: int = 0) -> NutsFacets:
    """Run NUTS."""
    mcmc = MCMC(
        NUTS(_model, target_accept_prob=0.9),
        num_warmup=warm_up,
        num_samples=iterations,
        num_chains=chains,
        chain_method="sequential",
        progress_bar=False,
    )
    mcmc.run(jax.random.PRNGKey(seed), ratings)
    found = {name: np.asarray(one) for name, one in mcmc.get_samples(group_by_chain=True).items()}
    return NutsFacets(
        values=found["values"],
        difficulties=found["difficulties"],
        leanings=found["leanings"],
        cuts=found["cuts"],
        scales=np.concatenate(
            [found["tau"][..., None], found["omega"], found["kappa"][..., None], found["eta"][..., None]], axis=-1
        ),
    )
