import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { ConfirmDialog } from '@/components/Dialog';
import { EmptyLine } from '@/components/Section';
import { ErrorState, SkeletonFields } from '@/components/States';
import { fieldsInWords } from '@/lib/forms';
import { formatBytes, formatCount, formatDateTime } from '@/lib/format';
import { toast } from '@/lib/toast';
import { useUnsaved } from '@/lib/unsaved';
import { useCurrentUser } from '@/stores/session';
import { retentionQuery, useChooseDefaults, useChooseRetention } from './retentionApi';
import { RetentionFields } from './RetentionFields';
import { RetentionPreview } from './RetentionPreview';
import type { Retention, RetentionRun, RetentionValues } from './types';

/** For how long the company keeps its data; for the super user the defaults too. */
export function RetentionTab() {
  const { t } = useTranslation('settings');
  const user = useCurrentUser();
  const { data, error, refetch } = useQuery(retentionQuery());
  if (error && !data)
    return (
      <ErrorState title={t('retention.failed')} error={error} onRetry={() => void refetch()} />
    );
  if (!data) return <SkeletonFields />;
  return (
    <>
      <OwnForm retention={data} />
      <Runs runs={data.runs} />
      {user.super && <DefaultsForm retention={data} />}
    </>
  );
}

const isSame = (left: RetentionValues, right: RetentionValues) =>
  left.messagesYears === right.messagesYears &&
  left.mediaMonths === right.mediaMonths &&
  left.logsDays === right.logsDays;

function OwnForm({ retention }: { retention: Retention }) {
  const { t } = useTranslation(['settings', 'common']);
  /** The edited values; null while there are no changes. */
  const [draft, setDraft] = useState<RetentionValues | null>(null);
  const [asking, setAsking] = useState<'save' | 'defaults' | null>(null);
  const save = useChooseRetention();
  const values = draft ?? retention.values;
  const isDirty = draft !== null && !isSame(draft, retention.values);
  useUnsaved(isDirty && !save.isPending, 'page');

  const choose = (chosen: RetentionValues | null) =>
    save.mutate(chosen, {
      onSuccess: () => {
        setDraft(null);
        toast.success(t('retention.saved'));
      },
      onError: toast.error,
      onSettled: () => setAsking(null),
    });

  return (
    <Part title={t('retention.title')} help={t('retention.help')}>
      <RetentionFields
        values={values}
        limits={retention.limits}
        errors={fieldsInWords(save.error)}
        onChange={(changed) => {
          save.reset();
          setDraft(changed);
        }}
      />
      <RetentionPreview values={values} />
      <chakra.div
        display="flex"
        flexWrap="wrap"
        alignItems="center"
        justifyContent="flex-end"
        columnGap="2"
        rowGap="3"
      >
        <chakra.span
          role="status"
          flex={{ base: '1 0 100%', sm: '1' }}
          textStyle="sm"
          color="fg.muted"
        >
          {isDirty
            ? t('hours.dirty')
            : t(`retention.${retention.isDefault ? 'isDefault' : 'isOwn'}`)}
        </chakra.span>
        {!retention.isDefault && !isDirty && (
          <Button variant="ghost" onClick={() => setAsking('defaults')}>
            {t('retention.takeDefaults')}
          </Button>
        )}
        {isDirty && (
          <Button variant="ghost" disabled={save.isPending} onClick={() => setDraft(null)}>
            {t('common:actions.discard')}
          </Button>
        )}
        <Button disabled={!isDirty} loading={save.isPending} onClick={() => setAsking('save')}>
          {t('retention.save')}
        </Button>
      </chakra.div>
      <ConfirmDialog
        open={asking !== null}
        title={t(asking === 'defaults' ? 'retention.takeDefaults' : 'retention.confirm.title')}
        confirmLabel={t('retention.confirm.yes')}
        loading={save.isPending}
        onClose={() => setAsking(null)}
        onConfirm={() => choose(asking === 'defaults' ? null : values)}
      >
        {t('retention.confirm.text')}
      </ConfirmDialog>
    </Part>
  );
}

function DefaultsForm({ retention }: { retention: Retention }) {
  const { t } = useTranslation('settings');
  const [draft, setDraft] = useState<RetentionValues | null>(null);
  const save = useChooseDefaults();
  const values = draft ?? retention.defaults;
  const isDirty = !isSame(values, retention.defaults);
  useUnsaved(isDirty && !save.isPending, 'page');
  return (
    <Part title={t('retention.defaults.title')} help={t('retention.defaults.help')}>
      <RetentionFields
        values={values}
        limits={retention.limits}
        errors={fieldsInWords(save.error)}
        onChange={(changed) => {
          save.reset();
          setDraft(changed);
        }}
      />
      <chakra.div display="flex" justifyContent="flex-end">
        <Button
          disabled={!isDirty}
          loading={save.isPending}
          onClick={() =>
            save.mutate(values, {
              onSuccess: () => {
                setDraft(null);
                toast.success(t('retention.saved'));
              },
              onError: toast.error,
            })
          }
        >
          {t('retention.defaults.save')}
        </Button>
      </chakra.div>
    </Part>
  );
}

function Runs({ runs }: { runs: readonly RetentionRun[] }) {
  const { t } = useTranslation('settings');
  return (
    <Part title={t('retention.runs.title')}>
      {runs.length === 0 ? (
        <EmptyLine>{t('retention.runs.none')}</EmptyLine>
      ) : (
        <chakra.ul listStyleType="none" borderWidth="1px" borderRadius="md" bg="bg.surface">
          {runs.map((run) => (
            <chakra.li
              key={run.id}
              display="flex"
              flexWrap="wrap"
              justifyContent="space-between"
              columnGap="4"
              px="4"
              py="2.5"
              textStyle="sm"
              fontVariantNumeric="tabular-nums"
              css={{ '& + &': { borderTopWidth: '1px' } }}
            >
              <span>{formatDateTime(run.startedAt)}</span>
              <chakra.span color="fg.muted">
                <Freed run={run} />
              </chakra.span>
            </chakra.li>
          ))}
        </chakra.ul>
      )}
    </Part>
  );
}

function Freed({ run }: { run: RetentionRun }) {
  const { t } = useTranslation('settings');
  const kinds = (['messages', 'notes', 'media', 'logs'] as const).filter((kind) => run.rows[kind]);
  const parts = kinds.map((kind) => {
    const count = run.rows[kind] ?? 0;
    return t(`retention.kinds.${kind}`, { count, formatted: formatCount(count) });
  });
  if (run.bytes > 0) parts.push(formatBytes(run.bytes));
  const freed = parts.join(', ') || t('retention.runs.nothing');
  return run.finishedAt ? freed : t('retention.runs.running', { freed });
}

interface PartProps {
  title: string;
  help?: string;
  children: ReactNode;
}

function Part({ title, help, children }: PartProps) {
  return (
    <chakra.section aria-label={title} display="flex" flexDirection="column" gap="4">
      <chakra.div>
        <chakra.h2 textStyle="lg" fontWeight="semibold">
          {title}
        </chakra.h2>
        {help && (
          <chakra.p mt="1" textStyle="sm" color="fg.muted" maxW="72ch">
            {help}
          </chakra.p>
        )}
      </chakra.div>
      {children}
    </chakra.section>
  );
}
