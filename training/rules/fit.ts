// Logistic regression with a normal prior, by Newton's method: small enough to be written down, and the same every time.

export interface Example {
  /** Whole projects are left out together. */
  project: string;
  features: readonly number[];
  right: boolean;
}

export interface Fitting {
  /** How strongly weights are held to their prior. */
  hold: number;
  /** What weights are held to; zero where nothing is given. The first feature is the constant and is held to nothing. */
  prior: readonly number[];
}

const ROUNDS = 30;

export function fit(examples: readonly Example[], { hold, prior }: Fitting): number[] {
  const size = prior.length;
  const weights = [...prior];
  for (let round = 0; round < ROUNDS; round++) {
    const slope = weights.map((weight, at) => (at === 0 ? 0 : hold * (weight - prior[at]!)));
    const bend = weights.map((_, row) =>
      weights.map((__, column) => (row === column ? (row === 0 ? 1e-6 : hold) : 0)),
    );
    for (const { features, right } of examples) {
      const chance = predict(weights, features);
      const spread = chance * (1 - chance);
      for (let row = 0; row < size; row++) {
        const value = features[row]!;
        if (value === 0) continue;
        slope[row]! += (chance - (right ? 1 : 0)) * value;
        for (let column = 0; column < size; column++)
          bend[row]![column]! += spread * value * features[column]!;
      }
    }
    const step = solve(bend, slope);
    step.forEach((by, at) => (weights[at]! -= by));
    if (Math.max(...step.map(Math.abs)) < 1e-6) break;
  }
  return weights;
}

export function predict(weights: readonly number[], features: readonly number[]): number {
  let sum = 0;
  features.forEach((value, at) => (sum += value * weights[at]!));
  return 1 / (1 + Math.exp(-sum));
}

/** Solves a system of linear equations by elimination. */
function solve(given: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = given.map((row, at) => [...row, right[at]!]);
  const size = right.length;
  for (let at = 0; at < size; at++) {
    let pivot = at;
    for (let row = at + 1; row < size; row++)
      if (Math.abs(rows[row]![at]!) > Math.abs(rows[pivot]![at]!)) pivot = row;
    [rows[at], rows[pivot]] = [rows[pivot]!, rows[at]!];
    for (let row = 0; row < size; row++) {
      if (row === at) continue;
      const factor = rows[row]![at]! / rows[at]![at]!;
      if (factor !== 0)
        for (let column = at; column <= size; column++) rows[row]![column]! -= factor * rows[at]![column]!;
    }
  }
  return rows.map((row, at) => row[size]! / row[at]!);
}

/** The chance given to each example by weights that were fitted without its project. */
export function leftOut<T extends Example>(
  examples: readonly T[],
  fitting: Fitting,
): (T & { chance: number })[] {
  const judged: (T & { chance: number })[] = [];
  for (const project of new Set(examples.map((one) => one.project))) {
    const weights = fit(
      examples.filter((one) => one.project !== project),
      fitting,
    );
    for (const one of examples)
      if (one.project === project) judged.push({ ...one, chance: predict(weights, one.features) });
  }
  return judged;
}

export function report(judged: readonly (Example & { chance: number })[], least: readonly number[]): void {
  const right = judged.filter((one) => one.right).length;
  console.log(`${judged.length} judged, ${right} right; each from weights that have not seen its project`);
  for (const bar of least) {
    const kept = judged.filter((one) => one.chance >= bar);
    const good = kept.filter((one) => one.right).length;
    const share = (part: number, of: number) => (of === 0 ? '-' : (part / of).toFixed(3));
    console.log(
      `  from ${bar.toFixed(2)}: precision ${share(good, kept.length)}, recall ${share(good, right)}, ${kept.length} kept`,
    );
  }
}
