import { Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { canonicalLocale } from '@overworld/contract/locales';
import { MAX_LANGUAGES } from '@overworld/contract/translation-limits';
import { IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { AddButton, IconButton } from '../buttons.tsx';
import { FailureText, Note } from '../text.tsx';
import { settleLocale } from './translations.ts';
import type { TypedTranslation } from './translations.ts';
import classes from './translation-fields.module.css';

/** A text that each language has. */
interface TranslatedText {
  name: string;
  label: string;
  /** The text in the default language, which a language without this text has. */
  by_default: string;
  isLong?: boolean;
}

/** The fields for the texts of a thing in other languages. */
export function TranslationFields(props: {
  texts: readonly TranslatedText[];
  value: TypedTranslation[];
  onChange: (value: TypedTranslation[]) => void;
  error?: ReactNode;
}) {
  const { texts, value, onChange, error } = props;
  const change = (id: string, changes: Partial<TypedTranslation>) =>
    onChange(value.map((each) => (each.id === id ? { ...each, ...changes } : each)));
  return (
    <Stack gap="xs">
      {value.map((translation, index) => {
        const { id, locale } = translation;
        const language = nameOf(locale) ?? `language ${index + 1}`;
        return (
          <fieldset key={id} className={classes.language}>
            <legend className="visually-hidden">{language}</legend>
            <Group gap="xs" align="center" wrap="nowrap">
              <TextInput
                aria-label={`Tag of language ${index + 1}`}
                placeholder="de or pt-BR"
                classNames={{ input: 'mono' }}
                w={124}
                value={locale}
                onChange={({ currentTarget }) => change(id, { locale: currentTarget.value })}
                onBlur={() => change(id, { locale: settleLocale(locale) })}
              />
              <Text size="sm" style={{ flex: 1 }} lineClamp={1}>
                {nameOf(locale)}
              </Text>
              <IconButton
                icon={IconTrash}
                label={`Remove ${language}`}
                onClick={() => onChange(value.filter((each) => each.id !== id))}
              />
            </Group>
            {texts.map(({ name, label, by_default, isLong }) => {
              const Field = isLong ? Textarea : TextInput;
              return (
                <Field
                  key={name}
                  label={`${label} in ${language}`}
                  placeholder={by_default}
                  {...(isLong && { autosize: true, minRows: 1, maxRows: 6 })}
                  value={translation.texts[name] ?? ''}
                  onChange={({ currentTarget }) =>
                    change(id, { texts: { ...translation.texts, [name]: currentTarget.value } })
                  }
                />
              );
            })}
          </fieldset>
        );
      })}
      {error && <FailureText size="xs">{error}</FailureText>}
      <Group justify="space-between" gap="xs">
        <AddButton
          size="xs"
          variant="default"
          disabled={value.length >= MAX_LANGUAGES}
          onClick={() => onChange([...value, { id: crypto.randomUUID(), locale: '', texts: {} }])}
        >
          Add language
        </AddButton>
        {value.length > 0 && (
          <Note style={{ flex: '1 1 240px' }}>
            A text left empty is the one above. A language without any text is the language of the
            texts above.
          </Note>
        )}
      </Group>
    </Stack>
  );
}

/** The name of a language, such as `Brazilian Portuguese`; null if the tag is none. */
function nameOf(typed: string): string | null {
  const tag = canonicalLocale(typed.trim());
  return tag === null ? null : (new Intl.DisplayNames('en', { type: 'language' }).of(tag) ?? tag);
}
