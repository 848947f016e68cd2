import { Button, Popover } from '@mantine/core';
import type { ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';

/** A button that opens a short form beside it. */
export function FormPopover(props: {
  icon: ReactNode;
  label: string;
  size?: ButtonProps['size'];
  children: (close: () => void) => ReactNode;
}) {
  const [opened, popover] = useDisclosure();
  return (
    <Popover
      opened={opened}
      onChange={(open) => (open ? popover.open() : popover.close())}
      position="bottom-start"
      width={320}
      shadow="md"
      trapFocus
      withinPortal
    >
      <Popover.Target>
        <Button
          variant="default"
          size={props.size}
          leftSection={props.icon}
          onClick={popover.toggle}
        >
          {props.label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>{props.children(popover.close)}</Popover.Dropdown>
    </Popover>
  );
}
