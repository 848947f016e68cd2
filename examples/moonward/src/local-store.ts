/** The data that this device keeps between visits. A browser without storage can play too. */
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
  /** Calls back when another tab has written. */
  onOtherTab(key: string, changed: () => void): void {
    addEventListener('storage', (event) => {
      if (event.key === `moonward:${key}`) changed();
    });
  },
};
