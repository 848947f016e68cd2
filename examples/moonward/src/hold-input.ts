/** The one button of the game: Space, Enter, or a finger or mouse anywhere on the picture. */
export class HoldInput {
  #keys = new Set<string>();
  #pointers = new Set<number>();
  readonly #onPress: () => void;

  constructor(surface: HTMLElement, onPress: () => void) {
    this.#onPress = onPress;
    addEventListener('keydown', (event) => {
      if (!isHoldKey(event)) return;
      if (isControl(event.target)) {
        // The night may end while a key is held. The repeats of
        // this key must not press the button that appears then.
        if (event.repeat && isButton(event.target)) event.preventDefault();
        return;
      }
      event.preventDefault();
      if (!event.repeat) this.#press(() => this.#keys.add(event.code));
    });
    addEventListener('keyup', (event) => this.#keys.delete(event.code));
    surface.addEventListener('pointerdown', (event) => {
      // Keeps a drag from selecting text.
      event.preventDefault();
      this.#press(() => this.#pointers.add(event.pointerId));
    });
    // Without this, lifting the finger would click an element that has appeared under it.
    surface.addEventListener('touchstart', (event) => event.preventDefault(), { passive: false });
    for (const end of ['pointerup', 'pointercancel'] as const) {
      addEventListener(end, (event) => this.#pointers.delete(event.pointerId));
    }
    // The page gets no event if a key is released while another window has the focus.
    addEventListener('blur', () => this.release());
    surface.addEventListener('contextmenu', (event) => event.preventDefault());
  }

  get held(): boolean {
    return this.#keys.size + this.#pointers.size > 0;
  }

  release(): void {
    this.#keys.clear();
    this.#pointers.clear();
  }

  #press(note: () => void): void {
    note();
    this.#onPress();
  }
}

const isHoldKey = ({ code }: KeyboardEvent) => ['Space', 'Enter', 'ArrowUp'].includes(code);

const isButton = (target: EventTarget | null) => target instanceof HTMLButtonElement;

/** Buttons, links and fields handle their keys themselves. */
const isControl = (target: EventTarget | null) =>
  target instanceof Element && target.closest('button, a, input, select, [role=dialog]') !== null;
