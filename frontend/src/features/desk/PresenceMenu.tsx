import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Menu, type MenuEntry } from '@/components/Menu';
import { PresenceMark } from '@/components/PresenceMark';
import { toast } from '@/lib/toast';
import { useCurrentUser } from '@/stores/session';
import { touch } from '@/theme/screens';
import { reasonsQuery, useChoosePresence } from './calls';
import { usePresences } from './presences';
import { usePresenceWords } from './words';
import { usePresenceEvents } from './events';
import { PauseDialog } from './PauseDialog';
import type { PresenceChoice, PresenceName } from './types';

const roomy = { display: 'none', '@media (min-width: 1680px)': { display: 'flex' } };

/** The own presence in the top bar, in companies that distribute. */
export function PresenceMenu() {
  const { t } = useTranslation(['desk', 'shell']);
  const { id } = useCurrentUser();
  const own = usePresences()?.get(id);
  const reasons = useQuery(reasonsQuery());
  const choose = useChoosePresence();
  const words = usePresenceWords();
  const [isPausing, setPausing] = useState(false);
  usePresenceEvents();

  const put = (choice: PresenceChoice) =>
    choose.mutate(choice, { onError: (error) => toast.error(error) });
  // Until the server has seen this browser there is no presence yet.
  const presence: PresenceName = own?.presence ?? 'offline';
  const label = own ? words(own) : t('shell:presence.offline');
  const entry = (name: 'online' | 'offline'): MenuEntry => ({
    id: name,
    label: t(`shell:presence.${name}`),
    icon: <PresenceMark presence={name} label="" />,
    checked: presence === name,
    onSelect: () => put({ presence: name }),
  });
  const pauses = (reasons.data ?? []).map((reason): MenuEntry => ({
    id: `reason-${reason.id}`,
    label: t('pause.short', { name: reason.name, minutes: reason.minutes }),
    icon: <PresenceMark presence="paused" label="" />,
    checked: presence === 'paused' && own?.reason === reason.name,
    onSelect: () => put({ presence: 'paused', reasonId: reason.id, minutes: reason.minutes }),
  }));
  return (
    <>
      <Menu
        trigger={
          <Button
            variant="ghost"
            minW="9"
            px="2"
            css={{ [touch]: { minW: '12' } }}
            aria-label={t('shell:presence.choose', { presence: label })}
            data-tooltip={label}
          >
            <PresenceMark presence={presence} label="" />
            {/* Where the bar has no room for them, the tooltip has the words. */}
            <chakra.span css={roomy} alignItems="center" gap="2" textStyle="sm">
              <chakra.span maxW="200px" truncate>
                {label}
              </chakra.span>
              <ChevronDown size={16} aria-hidden />
            </chakra.span>
          </Button>
        }
        groups={[
          { entries: [entry('online')] },
          {
            label: t('pause.label'),
            entries: [
              ...pauses,
              { id: 'pause', label: t('pause.other'), onSelect: () => setPausing(true) },
            ],
          },
          { entries: [entry('offline')] },
        ]}
      />
      {isPausing && <PauseDialog reasons={reasons.data ?? []} onClose={() => setPausing(false)} />}
    </>
  );
}
