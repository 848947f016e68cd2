import { CONTROLS } from './controls.ts';
import { button, element } from './element.ts';
import { openSheet } from './sheet.ts';

export function showPauseScreen(
  sheet: HTMLElement,
  { resume, giveUp }: { resume: () => void; giveUp: () => void },
): void {
  openSheet(
    sheet,
    'pause',
    { title: 'Paused' },
    element('p', {}, 'The dawn waits, too.'),
    element('p', { className: 'controls' }, CONTROLS),
    button('Fly on', resume, 'primary'),
    button('Give up this night', giveUp, 'quiet'),
  );
}
