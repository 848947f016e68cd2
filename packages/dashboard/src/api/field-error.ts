import type { UseFormReturnType } from '@mantine/form';
import { sentence, textOf } from './failure.ts';

type FormOf<Values> = Pick<UseFormReturnType<Values>, 'setErrors' | 'getInputNode'>;

/** A member of a body, as the server names it: `email`, `rules[0].name`. */
const NAME = /^[a-z]\w*(?:\[\d+\]|\.\w+)*(?= )/;
/**
 * Another member that the same message names. Without a `_`, a name could be a common word of the
 * message.
 */
const OTHER_NAME = /\b[a-z]+(?:_[a-z]+)+\b/g;

/**
 * Shows the server's error message at a field of the form. The message begins with the name of a member, such
 * as `url must not be empty`. The field of that member then shows the message with the field's own label:
 * `Address must not be empty`. A message that begins with no field's name becomes the form's error `form`.
 */
export function showFailure<Values extends object>(form: FormOf<Values>, error: unknown): void {
  const words = textOf(error);
  const name = NAME.exec(words)?.[0] ?? '';
  const field = findField(form, name);
  const rest = words.slice(field === null ? 0 : name.length).replaceAll(OTHER_NAME, (other) => {
    const known = findField(form, other);
    return known === null ? other : `“${known.label}”`;
  });
  const text = sentence(field === null ? rest : field.label + field.part + rest);
  form.setErrors({ [field?.showsErrors ? field.path : 'form']: text });
  if (field?.showsErrors) focusField(form, field.path);
}

/** Puts the focus on a field; in a group of choices, on the first choice. */
export function focusField<Values extends object>(form: FormOf<Values>, path: string): void {
  const node = form.getInputNode(path as never);
  (node?.tabIndex === -1 ? node.querySelector('input') : node)?.focus();
}

interface Field {
  node: HTMLElement;
  path: string;
  label: string;
  /** False for a choice between buttons, which has no place for an error. */
  showsErrors: boolean;
  /** The words for the part of the field that the message is about, such as `: entry 2`. */
  part: string;
}

/** Finds the field of a member, or of the list that holds the member: `has_tags` for `has_tags[1]`. */
function findField<Values extends object>(form: FormOf<Values>, name: string): Field | null {
  const names = name.split(/[.[\]]+/).filter((part) => part !== '');
  for (let length = names.length; length > 0; length--) {
    const path = names.slice(0, length).join('.');
    const node: HTMLElement | null = form.getInputNode(path as never);
    const label = node === null ? null : labelOf(node);
    if (node !== null && label !== null) {
      return { node, path, ...label, part: names.slice(length).map(partWords).join('') };
    }
  }
  return null;
}

const partWords = (name: string) =>
  /^\d+$/.test(name) ? `: entry ${Number(name) + 1}` : `: ${name.replaceAll('_', ' ')}`;

function labelOf(node: HTMLElement): Pick<Field, 'label' | 'showsErrors'> | null {
  const wrapper = node.closest('.mantine-InputWrapper-root, .mantine-InlineInput-root');
  const own = (node as HTMLInputElement).labels?.[0];
  const other = document.getElementById(node.getAttribute('aria-labelledby') ?? '');
  const element = own ?? other ?? wrapper?.querySelector('.mantine-InputWrapper-label');
  const label = element?.textContent ?? node.ariaLabel;
  return label ? { label, showsErrors: wrapper !== null } : null;
}
