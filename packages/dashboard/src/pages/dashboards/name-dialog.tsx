import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { DialogForm, FormDialog } from '../../ui/forms/form-dialog.tsx';

interface NameDialogProps<Answer> {
  opened: boolean;
  onClose: () => void;
  title: string;
  action: string;
  /** The name until now. */
  name: string;
  label?: string;
  maxLength?: number;
  onSubmit: (name: string) => Promise<Answer>;
  onDone?: (answer: Answer) => void;
}

/** Asks for the name of a dashboard, or the title of a card. */
export function NameDialog<Answer>(props: NameDialogProps<Answer>) {
  const { opened, onClose, title } = props;
  return (
    <FormDialog opened={opened} onClose={onClose} title={title}>
      <NameForm {...props} />
    </FormDialog>
  );
}

function NameForm<Answer>(props: NameDialogProps<Answer>) {
  const { onClose, action, label = 'Name', maxLength = 100, onSubmit, onDone } = props;
  const form = useForm({
    initialValues: { name: props.name },
    validate: { name: (name) => name.trim() === '' && `${label} is required` },
  });
  return (
    <DialogForm
      form={form}
      onSubmit={({ name }) => onSubmit(name.trim())}
      onDone={(answer) => {
        onClose();
        onDone?.(answer);
      }}
      onClose={onClose}
      action={action}
    >
      <TextInput
        label={label}
        maxLength={maxLength}
        data-autofocus
        {...form.getInputProps('name')}
      />
    </DialogForm>
  );
}
