import { Button, Popover } from '@mantine/core';
import type { ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useRef } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';

/** A button that opens a short form beside it. */
export function FormPopover(props: {
  icon: ReactNode;
  label: string;
  size?: ButtonProps['size'];
  children: (close: () => void) => ReactNode;
}) {
  const [opened, popover] = useDisclosure();
  const button = useRef<HTMLButtonElement>(null);
  // Escape in an open list closes only the list. Mantine would close the form too.
  const closeOnEscape = ({ key, target }: KeyboardEvent) => {
    if (key !== 'Escape' || (target as Element).ariaExpanded === 'true') return;
    popover.close();
    button.current?.focus();
  };
  return (
    <Popover
      opened={opened}
      onChange={(open) => (open ? popover.open() : popover.close())}
      position="bottom-start"
      width={320}
      shadow="md"
      closeOnEscape={false}
      trapFocus
      withinPortal
    >
      <Popover.Target>
        <Button
          ref={button}
          variant="default"
          size={props.size}
          leftSection={props.icon}
          onClick={popover.toggle}
        >
          {props.label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown onKeyDown={closeOnEscape}>{props.children(popover.close)}</Popover.Dropdown>
    </Popover>
  );
}
