import type { Phase } from '../game.ts';
import { nightColor } from '../view/inks.ts';
import { heightOf, scoreOf } from '../world/run.ts';
import type { Run } from '../world/run.ts';
import type { Difficulty, Weather } from '../world/weather.ts';
import { element } from './element.ts';
import { showBanner } from './notices.ts';
import type { Stage } from './stage.ts';

const WEATHER_NAMES: Record<Weather, string> = {
  calm: 'Calm',
  breeze: 'Breeze',
  gale: 'Gale',
};
const WEATHER_WORDS: Record<Weather, string> = {
  calm: 'Still air.',
  breeze: 'The wind pushes, lamps burn shorter.',
  gale: 'The wind tears, lamps swing and burn out fast.',
};

/** Shows the figures of the run, and the parts of the page that belong to the phase. */
export function showHud(stage: Stage, phase: Phase, run: Run): void {
  const { score, height, chain, pollen, pause } = stage.hud;
  stage.poster.classList.toggle('is-night', phase !== 'title');
  stage.hint.hidden = phase !== 'ready';
  pause.disabled = phase !== 'flying';
  setText(score, scoreOf(run).toLocaleString('en'));
  setText(height, `${heightOf(run)} m`);
  setText(pollen, `${run.tallies.pollen}`);
  chain.hidden = run.tallies.chain < 2;
  if (setText(chain, `chain ${run.tallies.chain}`)) {
    chain.classList.remove('is-new');
    // Reading the width restarts the animation.
    void chain.offsetWidth;
    chain.classList.add('is-new');
  }
}

/** Sets the text of a node only if the text differs, and tells whether it did. */
function setText(node: HTMLElement, text: string): boolean {
  if (node.textContent === text) return false;
  node.textContent = text;
  return true;
}

/** Shows the weather beside the poster; `announce` also shows a banner across the picture. */
export function showWeather(stage: Stage, difficulty: Difficulty, announce: boolean): void {
  const { weather, dawn_speed } = difficulty;
  const dawn = dawn_speed === 1 ? '' : `The dawn rises ${dawn_speed}× as fast.`;
  document.documentElement.style.setProperty('--night', nightColor(weather));
  stage.weather_card.replaceChildren(
    element('strong', {}, WEATHER_NAMES[weather]),
    element('p', {}, `${WEATHER_WORDS[weather]} ${dawn}`.trim()),
  );
  if (announce) showBanner(stage, dawn || 'The weather turns', WEATHER_NAMES[weather]);
}

/**
 * Shows a badge while the server cannot be reached.
 * @param waiting The number of scores, achievements and saves that wait for the server.
 */
export function showOffline({ offline_badge }: Stage, isOnline: boolean, waiting: number): void {
  offline_badge.hidden = isOnline;
  const words = waiting === 0 ? 'Offline' : `Offline · ${waiting} to send later`;
  setText(offline_badge, words);
}
