import type { DemoStage } from '../packages/dashboard/demo-stage.ts';

/** The number of players in the list. Nearly all players of the demo have names. */
export const ROWS = 10_000;
export const LONG_FRAME_MS = 50;
/** The number of pixels that each frame scrolls, which is like a fast turn of a mouse wheel. */
const STEP = 400;

interface Scrolled {
  rows: number;
  frames: number;
  longest_ms: number;
  long_frames: number;
  /** The CPU time of the page's longest task. Other programs on the machine do not lengthen this time. */
  longest_cpu_ms: number;
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** CPU time in microseconds. */
  tdur?: number;
  args?: { name?: string };
}

/** Returns the CPU time in milliseconds of the longest task on the main threads of pages. */
function longestTask(trace: string): number {
  const { traceEvents } = JSON.parse(trace) as { traceEvents: TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const pages = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(threadOf),
  );
  const tasks = traceEvents.filter(
    (event) => event.name.endsWith('RunTask') && pages.has(threadOf(event)),
  );
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1_000;
}

/** Loads the whole list of players, then scrolls from its first to its last row. */
export async function scrollPlayers({
  browser,
  url,
  token,
  game_id,
}: DemoStage): Promise<Scrolled> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1440, height: 900 },
  });
  const setToken = `localStorage.setItem('overworld.token', ${JSON.stringify(token)})`;
  await context.addInitScript(setToken);
  const page = await context.newPage();
  await page.goto(`/games/${game_id}/production/players`);
  const more = page.getByRole('button', { name: 'Show more' });
  await more.click();
  while ((await more.count()) > 0) {
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
  }
  await page.evaluate('scrollTo(0, 0)');
  await page.getByText('in all', { exact: false }).waitFor();
  await page.waitForLoadState('networkidle');
  await browser.startTracing(page, { categories: ['toplevel'] });
  const scrolled = (await page.evaluate(`new Promise((resolve) => {
    const frames = [];
    let last;
    const step = (now) => {
      if (last !== undefined) frames.push(now - last);
      last = now;
      scrollBy(0, ${STEP});
      const end = document.documentElement.scrollHeight - innerHeight;
      if (scrollY < end - 1) return requestAnimationFrame(step);
      resolve({
        rows: Number(document.querySelector('table').getAttribute('aria-rowcount')) - 1,
        frames: frames.length,
        longest_ms: Math.max(...frames),
        long_frames: frames.filter((frame) => frame > ${LONG_FRAME_MS}).length,
      });
    };
    requestAnimationFrame(step);
  })`)) as Omit<Scrolled, 'longest_cpu_ms'>;
  const trace = await browser.stopTracing();
  await context.close();
  return { ...scrolled, longest_cpu_ms: longestTask(trace.toString()) };
}
