import { Menu as Chakra } from '@chakra-ui/react';
import { Check } from 'lucide-react';
import { Fragment, type ReactElement, type ReactNode } from 'react';
import { Portal } from './Portal';

export interface MenuEntry {
  /** Unique in its menu. */
  id: string;
  label: ReactNode;
  icon?: ReactNode;
  onSelect: () => void;
  /** Marks the current choice with a tick. */
  checked?: boolean;
  danger?: boolean;
  disabled?: boolean;
}

interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement;
  /** Entries in groups, separated by lines. */
  groups: { label?: string; entries: MenuEntry[] }[];
  header?: ReactNode;
  placement?: 'bottom-start' | 'bottom-end' | 'top-start' | 'top-end';
}

export function Menu({ trigger, groups, header, placement = 'bottom-end' }: MenuProps) {
  const entries = groups.flatMap((group) => group.entries);
  return (
    <Chakra.Root
      positioning={{ placement }}
      onSelect={({ value }) => entries.find(({ id }) => id === value)?.onSelect()}
      lazyMount
      unmountOnExit
    >
      <Chakra.Trigger asChild>{trigger}</Chakra.Trigger>
      <Portal>
        <Chakra.Positioner>
          <Chakra.Content>
            {header}
            {groups
              .filter((group) => group.entries.length > 0)
              .map((group, index) => (
                <Fragment key={group.label ?? index}>
                  {(index > 0 || header) && <Chakra.Separator />}
                  <Chakra.ItemGroup>
                    {group.label && <Chakra.ItemGroupLabel>{group.label}</Chakra.ItemGroupLabel>}
                    {group.entries.map((entry) => (
                      <Chakra.Item
                        key={entry.id}
                        value={entry.id}
                        disabled={entry.disabled}
                        aria-current={entry.checked || undefined}
                        {...(entry.danger && { color: 'status.danger.fg' })}
                      >
                        {entry.icon}
                        <Chakra.ItemText>{entry.label}</Chakra.ItemText>
                        {entry.checked && <Check size={16} />}
                      </Chakra.Item>
                    ))}
                  </Chakra.ItemGroup>
                </Fragment>
              ))}
          </Chakra.Content>
        </Chakra.Positioner>
      </Portal>
    </Chakra.Root>
  );
}
