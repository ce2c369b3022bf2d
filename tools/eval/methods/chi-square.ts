/**
 * ln Γ(x) for x > 0, Lanczos approximation, 1e-10. Source: W. H. Press et al., Numerical Recipes, Section
 * 6.1.
 */
export function logGamma(x: number): number {
  const coefficients = [
    76.180091729471, -86.505320329417, 24.01409824083091, -1.231739572450155, 0.1208650973866179e-2,
    -0.5395239384953e-5,
  ];
  const shifted = x + 5.5 - (x + 0.5) * Math.log(x + 5.5);
  const series = coefficients.reduce((sum, c, i) => sum + c / (x + 1 + i), 1.000000000190015);
  return Math.log((Math.sqrt(2 * Math.PI) * series) / x) - shifted;
}

/** ψ(x) = d ln Γ(x)/dx for x > 0: recurrence up to 6, then the asymptotic series. */
export function digamma(x: number): number {
  let value = 0;
  while (x < 6) value -= 1 / x++;
  const r = 1 / (x * x);
  return value + Math.log(x) - 1 / (2 * x) - r * (1 / 12 - r * (1 / 120 - r * (1 / 252 - r / 240)));
}

/** P(X ≤ x) for a chi-square variable; the series of the regularized incomplete gamma function. */
function chiSquareCdf(x: number, freedom: number): number {
  const a = freedom / 2;
  let term = 1 / a;
  let sum = term;
  for (let n = 1; term > sum * 1e-15; n++) sum += term *= x / 2 / (a + n);
  return sum * Math.exp(-x / 2 + a * Math.log(x / 2) - logGamma(a));
}

/** The x with P(X ≤ x) = probability, by bisection. */
export function chiSquareQuantile(probability: number, freedom: number): number {
  let [low, high] = [0, freedom + 10 * Math.sqrt(2 * freedom) + 10];
  for (let i = 0; i < 200; i++) {
    const middle = (low + high) / 2;
    if (chiSquareCdf(middle, freedom) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
