import { useState } from 'react';

/**
 * Text of a field that tells of it later than at each key, and whose value comes back by the address,
 * later still: by then other text may have been typed, which is kept. A value that comes by other
 * ways, such as going back, replaces the text.
 */
export function useTypedText(value: string, onChange: (text: string) => void) {
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  /** What was told and has not come back yet. */
  const [awaited, setAwaited] = useState<string[]>([]);
  if (value !== seen) {
    const place = awaited.indexOf(value);
    setSeen(value);
    setAwaited(place < 0 ? [] : awaited.slice(place + 1));
    if (place < 0) setText(value);
  }
  const told = awaited.at(-1) ?? value;
  return {
    text,
    setText,
    /** The value, or what it is about to be. */
    told,
    tell(next: string) {
      if (next === told) return;
      setAwaited((texts) => [...texts, next]);
      onChange(next);
    },
  };
}
