import { TextInput } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { keyFrom } from './key-from-name.ts';

interface NameAndKeyForm {
  getInputProps: (path: 'name' | 'key') => GetInputPropsReturnType;
  getValues: () => { name: string; key: string };
  setFieldValue: (path: 'name' | 'key', value: string) => void;
}

/**
 * The fields for the name of a thing, and for the key by which games and files know it. The key of a new thing
 * follows its name until somebody types another one; that of an existing thing cannot be changed.
 */
export function NameAndKeyFields(props: {
  form: NameAndKeyForm;
  isNew: boolean;
  /** Says who knows the thing by its key. */
  keyUse: string;
}) {
  const { form, isNew, keyUse } = props;
  return (
    <>
      <TextInput
        label="Name"
        data-autofocus
        {...form.getInputProps('name')}
        onChange={(event) => {
          const typed = event.currentTarget.value;
          const { key, name: before } = form.getValues();
          form.setFieldValue('name', typed);
          if (isNew && key === keyFrom(before)) form.setFieldValue('key', keyFrom(typed));
        }}
      />
      <TextInput
        label="Key"
        description={`${keyUse} by this key. The key cannot be changed later.`}
        disabled={!isNew}
        classNames={{ input: 'mono' }}
        {...form.getInputProps('key')}
      />
    </>
  );
}
