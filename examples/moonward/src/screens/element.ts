type Child = Node | string | null;

/**
 * An element with properties and children: `element('button', { className: 'primary' }, 'Set off')`.
 * Text is always text, never HTML.
 */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** A button that does `onclick`. */
export const button = (text: string, onclick: () => void, className = ''): HTMLButtonElement =>
  element('button', { type: 'button', className, onclick }, text);
