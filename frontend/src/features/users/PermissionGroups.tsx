import { chakra } from '@chakra-ui/react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Checkbox } from '@/components/Toggle';
import type { Permission } from '@/lib/permissions';
import { GROUPS, switched } from './permissionGroups';

interface PermissionGroupsProps {
  value: readonly Permission[];
  requires: Readonly<Record<string, Permission>>;
  /** What the user may grant; the others can't be switched. */
  granted: readonly Permission[];
  /** Omitted for a role that is only shown. */
  onChange?: (permissions: Permission[]) => void;
}

/** The permissions of a role in groups, each with a sentence that says what it allows. */
export function PermissionGroups({ value, requires, granted, onChange }: PermissionGroupsProps) {
  const { t } = useTranslation('roles');
  const id = useId();
  return (
    <chakra.div display="grid" gap="5" minW="0">
      {GROUPS.map((group) => (
        <chakra.div
          key={group.id}
          role="group"
          aria-labelledby={`${id}-${group.id}`}
          display="grid"
          gap="3"
        >
          <chakra.h3 id={`${id}-${group.id}`} textStyle="sm" fontWeight="semibold">
            {t(`groups.${group.id}`)}
          </chakra.h3>
          {group.permissions.map((permission) => {
            const key = `permissions.${permission.replace(':', '.')}`;
            const isLacking = !granted.includes(permission);
            const describedBy = `${id}-${key}`;
            return (
              <chakra.div key={permission}>
                <Checkbox
                  checked={value.includes(permission)}
                  disabled={!onChange || isLacking}
                  onChange={(on) => onChange?.(switched(value, permission, on, requires))}
                  label={t(`${key}.name`)}
                  aria-describedby={describedBy}
                />
                <chakra.p id={describedBy} ps="6" textStyle="xs" color="fg.muted">
                  {t(`${key}.help`)}
                  {onChange && isLacking && ` ${t('lacking')}`}
                </chakra.p>
              </chakra.div>
            );
          })}
        </chakra.div>
      ))}
    </chakra.div>
  );
}
