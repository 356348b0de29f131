import { Tabs as Chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';

export interface Tab<Value extends string> {
  value: Value;
  label: ReactNode;
  icon?: ReactNode;
  /** A count after the label. */
  badge?: ReactNode;
  content?: ReactNode;
}

interface TabsProps<Value extends string> {
  tabs: readonly Tab<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  'aria-label': string;
  /** Padding at both ends of the line of tabs. */
  inset?: string;
}

function TabSet<Value extends string>(props: TabsProps<Value> & { variant: 'line' | 'enclosed' }) {
  const { tabs, value, onChange, variant, inset } = props;
  return (
    <Chakra.Root
      value={value}
      onValueChange={(details) => onChange(details.value as Value)}
      variant={variant}
      lazyMount
      unmountOnExit
      // Without panels only the line of tabs is rendered, at its own height.
      flex={tabs.some(({ content }) => content !== undefined) ? '1' : '0 0 auto'}
      minW="0"
    >
      <Chakra.List aria-label={props['aria-label']} {...(inset && { px: inset })}>
        {tabs.map((tab) => (
          <Chakra.Trigger
            key={tab.value}
            value={tab.value}
            // Without a panel there is no element to reference. Null, because undefined would keep
            // the library's value.
            {...(tab.content === undefined && { 'aria-controls': null as never })}
          >
            {tab.icon}
            {tab.label}
            {tab.badge}
          </Chakra.Trigger>
        ))}
      </Chakra.List>
      {tabs.map(
        ({ value: name, content }) =>
          content !== undefined && (
            <Chakra.Content key={name} value={name}>
              {content}
            </Chakra.Content>
          ),
      )}
    </Chakra.Root>
  );
}

/** Tabs with a line under the current one. */
export function Tabs<Value extends string>(props: TabsProps<Value>) {
  return <TabSet {...props} variant="line" />;
}

/** A segmented control: the current choice is raised. */
export function Segmented<Value extends string>(props: TabsProps<Value>) {
  return <TabSet {...props} variant="enclosed" />;
}
