import { localStore } from '../local-store.ts';
import type { Sounds } from '../sound/sounds.ts';

/** Lets the button and the key M turn the sound on and off; the choice is remembered on this device. */
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
    // Takes the focus away, because Space would otherwise press this button instead of controlling the
    // flight.
    button.blur();
  });
  addEventListener('keydown', ({ code, target }) => {
    if (code === 'KeyM' && !(target instanceof HTMLInputElement)) toggle();
  });
  show();
}
