import { button, element } from './element.ts';
import { HOLD } from './controls.ts';

/** The parts of the page; screens and notices go into them. */
export interface Stage {
  root: HTMLElement;
  poster: HTMLElement;
  canvas: HTMLCanvasElement;
  hud: Hud;
  /** Holds the screens, one at a time. */
  sheet: HTMLElement;
  hint: HTMLElement;
  banner: HTMLElement;
  toasts: HTMLElement;
  offline_badge: HTMLElement;
  /** Stands beside the poster in wide windows. */
  board_aside: HTMLElement;
  weather_card: HTMLElement;
}

interface Hud {
  root: HTMLElement;
  score: HTMLElement;
  height: HTMLElement;
  chain: HTMLElement;
  pollen: HTMLElement;
  pause: HTMLButtonElement;
  mute: HTMLButtonElement;
}

export function buildStage(): Stage {
  const canvas = element('canvas', { tabIndex: -1 });
  canvas.setAttribute('aria-label', 'The night sky. Hold Space or a finger to circle a lamp.');
  canvas.setAttribute('role', 'img');
  const hud = buildHud();
  const sheet = element('div', { className: 'sheet' });
  const hint = element(
    'div',
    { className: 'hint', hidden: true },
    'Hold ',
    element('kbd', {}, HOLD),
    ' to circle a lamp, let go to fly',
  );
  const banner = element('div', { className: 'banner' });
  banner.setAttribute('role', 'status');
  const toasts = element('div', { className: 'toasts' });
  toasts.setAttribute('role', 'status');
  const offline_badge = element('div', { className: 'offline-badge', hidden: true }, 'Offline');
  offline_badge.title = 'You can play on: everything is sent when the connection is back.';
  offline_badge.setAttribute('role', 'status');
  const poster = element(
    'main',
    { className: 'poster' },
    canvas,
    hud.root,
    hint,
    banner,
    toasts,
    offline_badge,
    sheet,
  );
  const weather_card = element('div', { className: 'weather-card' });
  const board_aside = element('aside', { className: 'side side-board' });
  const root = element(
    'div',
    { className: 'wall' },
    element(
      'aside',
      { className: 'side side-story' },
      element('p', { className: 'logo' }, 'Moonward'),
      element(
        'p',
        {},
        'Hold to circle a lamp. Let go to fly. Light new lamps, one after the other.',
      ),
      element('p', {}, 'Stay above the dawn.'),
      weather_card,
    ),
    poster,
    board_aside,
  );
  document.body.append(root);
  return {
    root,
    poster,
    canvas,
    hud,
    sheet,
    hint,
    banner,
    toasts,
    offline_badge,
    board_aside,
    weather_card,
  };
}

function buildHud(): Hud {
  const score = element('output', { className: 'hud-score' }, '0');
  const height = element('span', { className: 'hud-height' });
  const chain = element('span', { className: 'hud-chain', hidden: true });
  const pollen = element('span', { className: 'hud-pollen' });
  const pause = button('', () => {}, 'icon-button icon-pause');
  pause.setAttribute('aria-label', 'Pause');
  const mute = button('', () => {}, 'icon-button icon-sound');
  const root = element(
    'div',
    { className: 'hud' },
    element('div', { className: 'hud-figures' }, score, height, chain),
    element('div', { className: 'hud-buttons' }, pollen, mute, pause),
  );
  return { root, score, height, chain, pollen, pause, mute };
}
