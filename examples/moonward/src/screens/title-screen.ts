import { balanceOf } from '../world/progress.ts';
import type { Progress } from '../world/progress.ts';
import type { LoginState } from '../online/backend.ts';
import { CONTROLS } from './controls.ts';
import { renderLogin } from './devices-screen.ts';
import { button, element } from './element.ts';
import { openSheet } from './sheet.ts';

export const MAX_NAME_LENGTH = 20;

interface TitleActions {
  play: () => void;
  openBoards: () => void;
  openAchievements: () => void;
  openUpgrades: () => void;
  openDevices: () => void;
  rename: (name: string) => void;
}

export function showTitleScreen(
  sheet: HTMLElement,
  progress: Progress,
  login: LoginState,
  actions: TitleActions,
): void {
  const name = element('input', {
    id: 'player-name',
    value: progress.name.text,
    maxLength: MAX_NAME_LENGTH,
    autocomplete: 'off' as const,
    spellcheck: false,
    onchange: () => actions.rename(name.value),
  });
  const { best } = progress;
  openSheet(
    sheet,
    'title',
    { title: 'Moonward' },
    element('p', { className: 'motto' }, 'From lamp to lamp, before the dawn.'),
    element(
      'label',
      { className: 'name-field', htmlFor: 'player-name' },
      element('span', {}, 'You are'),
      name,
    ),
    button('Set off', actions.play, 'primary'),
    element(
      'nav',
      { className: 'choices' },
      button('Boards', actions.openBoards),
      button('Achievements', actions.openAchievements),
      button('Wings', actions.openUpgrades),
    ),
    best.score === 0
      ? null
      : element(
          'p',
          { className: 'figures' },
          `Best ${best.score.toLocaleString('en')} · ${best.height} m`,
          element('span', { className: 'pollen' }, `${Math.max(0, balanceOf(progress))}`),
        ),
    element(
      'p',
      { className: 'account' },
      renderLogin(login),
      button('Account and devices', actions.openDevices),
    ),
    element('p', { className: 'controls' }, CONTROLS),
  );
}
