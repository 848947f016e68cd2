/** Data that this device keeps between visits. The game also works in a browser without storage. */
export const localStore = {
  read(key: string): unknown {
    try {
      return JSON.parse(localStorage.getItem(`moonward:${key}`) ?? 'null');
    } catch {
      return null;
    }
  },
  write(key: string, value: unknown): void {
    try {
      localStorage.setItem(`moonward:${key}`, JSON.stringify(value));
    } catch {
      // The storage is full, or not allowed.
    }
  },
  /** Calls `changed` when another tab has written the key. */
  onOtherTab(key: string, changed: () => void): void {
    addEventListener('storage', (event) => {
      if (event.key === `moonward:${key}`) changed();
    });
  },
};
