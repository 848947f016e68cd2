import { useState } from 'react';

/** A dialog about an item, which is null while the dialog is closed. `frame` goes to the dialog. */
export function useDialog<Item>() {
  const [item, open] = useState<Item | null>(null);
  const close = () => open(null);
  return { item, open, close, frame: { opened: item !== null, onClose: close } };
}
