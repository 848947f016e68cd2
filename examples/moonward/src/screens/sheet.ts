import { button, element } from './element.ts';

/** Shows a screen over the picture, as a dialog. The first button that can be pressed gets the focus. */
export function openSheet(
  sheet: HTMLElement,
  name: string,
  { title, onBack }: { title: string; onBack?: () => void },
  ...content: (Node | string | null)[]
): void {
  const heading = element('h1', { className: name === 'title' ? 'logo' : '' }, title);
  const panel = element(
    'section',
    { className: `panel panel-${name}` },
    heading,
    ...content,
    onBack ? button('Back', onBack, 'quiet') : null,
  );
  panel.setAttribute('role', 'dialog');
  panel.setAttribute('aria-label', title);
  if (onBack) {
    panel.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      onBack();
    });
  }
  sheet.replaceChildren(panel);
  sheet.dataset.screen = name;
  panel.querySelector<HTMLElement>('button:not(:disabled)')?.focus({ preventScroll: true });
}

export function closeSheet(sheet: HTMLElement): void {
  sheet.replaceChildren();
  delete sheet.dataset.screen;
}
