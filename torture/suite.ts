/**
 * A test that attacks the server. Run by `npm run torture -- <name>`, it takes minutes. In
 * `npm run test:slow`, it takes seconds.
 */
export interface Suite {
  name: string;
  /** One line that describes the suite in the list of suites. */
  summary: string;
  /** Options on the command line: `--<name> <number>`. */
  options: Record<string, { default: number; meaning: string }>;
  run(options: Record<string, number>, report: Report): Promise<void>;
}

/** The findings of a run. */
export interface Report {
  /** Prints a line about the progress. */
  say(line: string): void;
  /** Adds a figure to the table that is printed at the end. */
  figure(name: string, value: string | number): void;
  /** Records that the server broke a promise. The run goes on, and fails at its end. */
  violation(text: string): void;
  readonly violations: readonly string[];
  readonly figures: ReadonlyMap<string, string>;
}

/**
 * The maximum number of violations that are printed. One broken promise often causes a thousand violations.
 */
const MAX_TOLD = 50;

export function createReport(say: (line: string) => void): Report {
  const started = performance.now();
  const violations: string[] = [];
  const figures = new Map<string, string>();
  const tell = (line: string) =>
    say(`${((performance.now() - started) / 1_000).toFixed(1).padStart(7)} s  ${line}`);
  return {
    violations,
    figures,
    say: tell,
    figure(name, value) {
      figures.set(name, typeof value === 'number' ? value.toLocaleString('en-US') : value);
    },
    violation(text) {
      violations.push(text);
      if (violations.length <= MAX_TOLD) tell(`VIOLATION: ${text}`);
    },
  };
}
