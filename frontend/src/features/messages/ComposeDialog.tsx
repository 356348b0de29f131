import { chakra, useBreakpointValue } from '@chakra-ui/react';
import { ArrowLeft, SendHorizontal } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { Bubble } from '@/components/Bubble';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';

interface ComposeDialogProps {
  title: string;
  onClose: () => void;
  dirty: boolean;
  /** What is chosen from, for example the kinds of a message. */
  list: ReactNode;
  /** How wide the list is beside the form. */
  listWidth: string;
  /** A `ComposeForm` with this id, null while nothing is chosen. */
  form: ReactNode;
  formId: string;
  /** A `ComposePreview` of what is filled in. */
  preview: ReactNode;
  /** In place of form and preview while nothing is chosen. */
  nothing: ReactNode;
  sendLabel: string;
  canSend: boolean;
  sending?: boolean;
  /** Why it was not sent, beside the button. */
  failure?: string | null;
  /** Returns to the list on a narrow screen. */
  onBack: () => void;
}

/**
 * A dialog in which a message is chosen, filled in, previewed and sent: side by side if there is
 * room, else one step after another.
 */
export function ComposeDialog(props: ComposeDialogProps) {
  const { title, onClose, dirty, list, listWidth, form, formId, preview, nothing } = props;
  const { sendLabel, canSend, sending = false, failure, onBack } = props;
  const { t } = useTranslation();
  const isWide = useBreakpointValue({ base: false, md: true }, { ssr: false }) ?? true;
  const footer = (
    <>
      {failure && (
        <chakra.p role="alert" flex="1" textStyle="sm" color="status.danger.fg">
          {failure}
        </chakra.p>
      )}
      {!isWide && (
        <Button variant="outline" icon={<ArrowLeft size={16} />} onClick={onBack}>
          {t('actions.back')}
        </Button>
      )}
      <Button
        type="submit"
        form={formId}
        icon={<SendHorizontal size={16} />}
        disabled={!canSend}
        loading={sending}
      >
        {sendLabel}
      </Button>
    </>
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      size="xl"
      dirty={dirty}
      footer={(isWide || Boolean(form)) && footer}
    >
      {isWide ? (
        <chakra.div
          display="grid"
          gridTemplateColumns={`${listWidth} minmax(0, 1fr) 368px`}
          h="min(640px, calc(100vh - 220px))"
          mx="-6"
          mb="-6"
          borderTopWidth="1px"
          borderColor="border.subtle"
        >
          <Pane>{list}</Pane>
          {form ? (
            <>
              <Pane>{form}</Pane>
              {preview}
            </>
          ) : (
            <chakra.div
              gridColumn="span 2"
              display="flex"
              alignItems="center"
              justifyContent="center"
              bg="bg.thread"
            >
              {nothing}
            </chakra.div>
          )}
        </chakra.div>
      ) : (
        <chakra.div mx="-6" mb="-6" display="flex" flexDirection="column" h="calc(100% + 24px)">
          {form ? (
            <>
              {form}
              <chakra.div px="5" pb="5" flexShrink="0">
                {preview}
              </chakra.div>
            </>
          ) : (
            list
          )}
        </chakra.div>
      )}
    </Dialog>
  );
}

function Pane({ children }: { children: ReactNode }) {
  return (
    <chakra.div
      display="flex"
      flexDirection="column"
      minH="0"
      minW="0"
      overflow="hidden"
      borderEndWidth="1px"
      borderColor="border.subtle"
    >
      {children}
    </chakra.div>
  );
}

interface ComposeFormProps {
  ref: Ref<HTMLFormElement>;
  id: string;
  label: string;
  onSubmit: () => void;
  children: ReactNode;
}

/** The fields of what is chosen. */
export function ComposeForm({ ref, id, label, onSubmit, children }: ComposeFormProps) {
  return (
    <chakra.form
      id={id}
      ref={ref}
      noValidate
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      display="flex"
      flexDirection="column"
      gap="4"
      p="5"
      minH={{ md: '0' }}
      flexShrink={{ base: '0', md: '1' }}
      overflowY={{ md: 'auto' }}
    >
      {children}
    </chakra.form>
  );
}

interface ComposePreviewProps {
  label: string;
  /** The content of the bubble. */
  children: ReactNode;
  /** What opens from the bubble. */
  below?: ReactNode;
}

/** The message as a bubble, while it is being filled in. */
export function ComposePreview({ label, children, below }: ComposePreviewProps) {
  return (
    <chakra.section
      aria-label={label}
      display="flex"
      flexDirection="column"
      gap="3"
      p="4"
      minH="0"
      h={{ md: 'full' }}
      overflowY="auto"
      bg="bg.thread"
      borderRadius={{ base: 'md', md: '0' }}
    >
      <chakra.h3 textStyle="xs" fontWeight="medium" color="fg.muted">
        {label}
      </chakra.h3>
      <chakra.div alignSelf="flex-end" maxW="full" minW="0" pe="2" textStyle="md">
        <Bubble out first failed={false}>
          {children}
        </Bubble>
      </chakra.div>
      {below}
    </chakra.section>
  );
}
