import { element } from './element.ts';
import type { Stage } from './stage.ts';

const TOAST_MS = 4_500;
const BANNER_MS = 3_200;

/** Shows a small paper slip with a message, which disappears after a while. */
export function showToast(
  { toasts }: Stage,
  title: string,
  text: string,
  kind: 'plain' | 'achievement' = 'plain',
): void {
  const toast = element(
    'div',
    { className: `toast toast-${kind}` },
    element('strong', {}, title),
    element('span', {}, text),
  );
  toasts.append(toast);
  setTimeout(() => toast.remove(), TOAST_MS);
}

/** Shows a band across the picture that announces a change of the world. */
export function showBanner({ banner }: Stage, kicker: string, title: string): void {
  const band = element(
    'div',
    { className: 'band' },
    element('span', { className: 'band-kicker' }, kicker),
    element('strong', {}, title),
  );
  banner.replaceChildren(band);
  setTimeout(() => band.remove(), BANNER_MS);
}
