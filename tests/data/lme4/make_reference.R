# Figures of lme4 for made-up panels: Rscript make_reference.R, in this folder, with lme4 and jsonlite.
# Scores = 60 + value + bias + noise/sqrt(confidence), rounded to 0.1; REML, optimiser bobyqa to 1e-12 from lme4's own
# start and from two others, the best of the three kept.
library(lme4)
library(jsonlite)

one <- function(name, seed, objects, assessors, each, value_sd, bias_sd, noise_sd) {
  set.seed(seed)
  object <- rep(seq_len(objects), each = each)
  assessor <- unlist(lapply(seq_len(objects), function(o) sample(assessors, each)))
  confidence <- sample(c(1, 2, 4), length(object), replace = TRUE)
  score <- 60 + rnorm(objects, 0, value_sd)[object] + rnorm(assessors, 0, bias_sd)[assessor] +
    rnorm(length(object), 0, noise_sd) / sqrt(confidence)
  score <- round(score, 1)
  panel <- data.frame(object = factor(object), assessor = factor(assessor), confidence, score)
  control <- lmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-12, maxfun = 1e5), calc.derivs = FALSE)
  fits <- lapply(list(c(1, 1), c(0.1, 0.1), c(3, 0.3)), function(start) {
    lmer(score ~ 1 + (1 | object) + (1 | assessor), panel, weights = confidence, REML = TRUE, control = control,
         start = list(theta = start))
  })
  fit <- fits[[which.max(sapply(fits, logLik))]]
  components <- as.data.frame(VarCorr(fit))
  variance <- function(group) components$vcov[components$grp == group]
  effects <- ranef(fit, condVar = FALSE)
  list(
    name = name, source = "made up", reference = paste("lme4", packageVersion("lme4"), "by make_reference.R"),
    object = object, assessor = assessor, confidence = confidence, score = score,
    mean = unname(fixef(fit)), value_variance = variance("object"), bias_variance = variance("assessor"),
    noise_variance = variance("Residual"), log_likelihood = as.numeric(logLik(fit)),
    objects = as.integer(rownames(effects$object)), value_effects = effects$object[[1]],
    assessors = as.integer(rownames(effects$assessor)), biases = effects$assessor[[1]]
  )
}

panels <- list(
  one("eight each", 1, 54, 18, 8, 5, 3, 10),
  one("many assessors", 2, 25, 100, 12, 6, 4, 5),
  one("small", 3, 8, 5, 3, 8, 4, 6),
  one("thin", 4, 40, 12, 2, 9, 2, 7),
  one("no bias", 10, 30, 10, 4, 6, 0, 8),
  one("little noise", 6, 20, 10, 4, 12, 6, 0.5)
)
for (panel in panels) {
  path <- paste0(gsub(" ", "_", panel$name), ".json")
  write(toJSON(panel, auto_unbox = TRUE, digits = 12), path)
}
