import { TextInput } from '@mantine/core';
import { isVisible } from '@overworld/contract/names';
import { useForm } from '@mantine/form';
import { DialogForm, FormDialog } from './dialogs.tsx';

interface NameFormProps<Answer> {
  action: string;
  /** The current name. */
  name: string;
  label?: string;
  description?: string;
  maxLength?: number;
  onSubmit: (name: string) => Promise<Answer>;
  onDone?: (answer: Answer) => void;
}

/** A dialog that asks for the name of a thing, or the title of a card. */
export function NameDialog<Answer>(
  props: NameFormProps<Answer> & { opened: boolean; onClose: () => void; title: string },
) {
  const { opened, onClose, title, ...form } = props;
  return (
    <FormDialog opened={opened} onClose={onClose} title={title}>
      <NameForm {...form} />
    </FormDialog>
  );
}

function NameForm<Answer>(props: NameFormProps<Answer>) {
  const { description, action, label = 'Name', maxLength = 100, onSubmit, onDone } = props;
  const form = useForm({
    initialValues: { name: props.name },
    validate: { name: (name) => !isVisible(name) && `${label} is required` },
  });
  return (
    <DialogForm
      form={form}
      onSubmit={({ name }) => onSubmit(name.trim())}
      onDone={onDone}
      action={action}
    >
      <TextInput
        label={label}
        description={description}
        maxLength={maxLength}
        data-autofocus
        {...form.getInputProps('name')}
      />
    </DialogForm>
  );
}
