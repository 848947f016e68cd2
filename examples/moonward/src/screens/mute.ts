import { localStore } from '../local-store.ts';
import type { Sounds } from '../sound/sounds.ts';

/** Sound by the button or the key M; remembered on this device. */
export function connectMute(button: HTMLButtonElement, sounds: Sounds): void {
  const show = () => {
    button.setAttribute('aria-pressed', String(sounds.muted));
    button.setAttribute('aria-label', sounds.muted ? 'Sound on' : 'Sound off');
  };
  const toggle = () => {
    sounds.muted = !sounds.muted;
    localStore.write('muted', sounds.muted);
    show();
  };
  button.addEventListener('click', () => {
    toggle();
    // Space is for flying.
    button.blur();
  });
  addEventListener('keydown', ({ code, target }) => {
    if (code === 'KeyM' && !(target instanceof HTMLInputElement)) toggle();
  });
  show();
}
