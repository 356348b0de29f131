import { EllipsisVertical } from 'lucide-react';
import { IconButton } from '@/components/IconButton';
import { Menu } from '@/components/Menu';
import type { ContactEntry } from './useContactEntries';

interface ContactMenuProps {
  label: string;
  entries: readonly ContactEntry[];
  size: 'sm' | 'lg';
}

/** Actions on a contact with their names; those that destroy are apart. */
export function ContactMenu({ label, entries, size }: ContactMenuProps) {
  return (
    <Menu
      trigger={<IconButton label={label} icon={<EllipsisVertical size={20} />} size={size} />}
      groups={[
        { entries: entries.filter(({ danger }) => !danger) },
        { entries: entries.filter(({ danger }) => danger) },
      ]}
    />
  );
}
