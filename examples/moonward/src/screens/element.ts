type Child = Node | string | null;

/**
 * Makes an element with properties and children: `element('button', { className: 'primary' }, 'Set
 * off')`. A child that is a string always becomes text, never HTML.
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

/** Makes a button that calls `onclick`. */
export const button = (text: string, onclick: () => void, className = ''): HTMLButtonElement =>
  element('button', { type: 'button', className, onclick }, text);
