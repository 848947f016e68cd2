/** The events and the property of a progression; empty texts for those that the game seems not to have. */
export interface FoundEvents {
  start_event: string;
  fail_event: string;
  complete_event: string;
}

const NONE: FoundEvents = { start_event: '', fail_event: '', complete_event: '' };
const ENDING = {
  start_event: /^(.+?)[ _.:-]?(?:start|started|begin|began|begun)$/i,
  fail_event: /^(.+?)[ _.:-]?(?:fail|failed|lose|lost|died|death)$/i,
  complete_event:
    /^(.+?)[ _.:-]?(?:complete|completed|finish|finished|win|won|end|ended|success)$/i,
};
const STEPS = /level|stage|mission|quest|wave|chapter|round|puzzle|floor|match/i;
const NO_STEPS = /session|app|game$/i;

/**
 * Finds the events that start, fail and complete steps by their names, such as `level_started`, `level_failed`
 * and `level_completed`.
 * @param names The names of the game's events, the most frequent first.
 */
export function findProgressionEvents(names: readonly string[]): FoundEvents {
  const find = (kind: keyof FoundEvents, stem: string) =>
    names.find((name) => ENDING[kind].exec(name)?.[1]?.toLowerCase() === stem) ?? '';
  const candidates = names.flatMap((start_event) => {
    const stem = ENDING.start_event.exec(start_event)?.[1]?.toLowerCase();
    if (stem === undefined || NO_STEPS.test(stem)) return [];
    const [fail_event, complete_event] = [find('fail_event', stem), find('complete_event', stem)];
    const found = Number(fail_event !== '') + Number(complete_event !== '');
    return [
      { start_event, fail_event, complete_event, rank: found + Number(STEPS.test(stem)) * 3 },
    ];
  });
  const [best] = candidates.toSorted((a, b) => b.rank - a.rank);
  if (best === undefined || best.rank === 0) return NONE;
  const { rank: _rank, ...events } = best;
  return events;
}

/** Finds the property that names the step, among those of the event that starts it. */
export function findStepProperty(start_event: string, properties: readonly string[]): string {
  const stem = ENDING.start_event.exec(start_event)?.[1]?.toLowerCase() ?? '';
  return (
    properties.find((name) => name.toLowerCase() === stem) ??
    properties.find((name) =>
      new RegExp(`^${escape(stem)}_?(id|name|number|index|no)$`, 'i').test(name),
    ) ??
    properties.find((name) => STEPS.test(name)) ??
    properties[0] ??
    ''
  );
}

const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
