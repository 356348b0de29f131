import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import type { TypebotBlock } from './api';
import { touch } from '@/theme/screens';

const OUTCOMES = ['left_out', 'approximated', 'taken'] as const;
const COLORS = {
  left_out: 'status.danger.fg',
  approximated: 'status.waiting.fg',
  taken: 'status.live.fg',
} as const;

/** What became of each block of the flow, what needs care first. */
export function FlowReport({ blocks }: { blocks: readonly TypebotBlock[] }) {
  const { t } = useTranslation('typebot');
  return (
    <chakra.section aria-label={t('report')}>
      <chakra.h3 textStyle="sm" fontWeight="semibold" mb="2">
        {t('report')}
      </chakra.h3>
      <chakra.div borderWidth="1px" borderRadius="md" bg="bg.surface">
        {OUTCOMES.map((outcome) => {
          const found = blocks.filter((block) => block.outcome === outcome);
          return (
            found.length > 0 && (
              <chakra.details
                key={outcome}
                open={outcome !== 'taken'}
                px="4"
                py="2.5"
                css={{ '& + &': { borderTopWidth: '1px' } }}
              >
                <chakra.summary
                  cursor="pointer"
                  textStyle="sm"
                  fontWeight="medium"
                  css={{ [touch]: { py: '3' } }}
                >
                  <chakra.span color={COLORS[outcome]}>
                    {t(`outcomes.${outcome}`, { count: found.length })}
                  </chakra.span>
                </chakra.summary>
                <chakra.ul mt="2" display="flex" flexDirection="column" gap="2" textStyle="sm">
                  {found.map((block, index) => (
                    <chakra.li key={index} overflowWrap="anywhere">
                      <chakra.span fontWeight="medium">
                        {block.group ? `${block.group} · ${block.kind}` : block.kind}
                      </chakra.span>
                      {block.excerpt && (
                        <chakra.span color="fg.muted">{` “${block.excerpt}”`}</chakra.span>
                      )}
                      {block.reason && (
                        <chakra.span display="block" color="fg.muted">
                          {t(`reasons.${block.reason}`)}
                        </chakra.span>
                      )}
                    </chakra.li>
                  ))}
                </chakra.ul>
              </chakra.details>
            )
          );
        })}
      </chakra.div>
    </chakra.section>
  );
}
