import { chakra } from '@chakra-ui/react';
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '@/lib/toast';
import { IconButton } from './IconButton';

interface CopyLineProps {
  text: string;
  /** The name of the button that copies. */
  label: string;
  /** Several lines, as code. */
  block?: boolean;
  /** Wraps long lines instead of scrolling: for text to read, not code to run. */
  wrap?: boolean;
}

/** Text to copy, with a button that copies it. */
export function CopyLine({ text, label, block = false, wrap = false }: CopyLineProps) {
  const { t } = useTranslation();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () => navigator.clipboard.writeText(text).then(() => setCopied(true), toast.error);
  return (
    <chakra.div
      display="flex"
      alignItems={block ? 'flex-start' : 'center'}
      gap="2"
      ps="3"
      pe="1"
      py="1"
      borderRadius="md"
      borderWidth="1px"
      bg="bg.subtle"
    >
      <chakra.code
        flex="1"
        minW="0"
        py="1.5"
        fontFamily="mono"
        textStyle="xs"
        {...(block
          ? {
              ...(wrap
                ? { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }
                : { whiteSpace: 'pre', overflowX: 'auto' }),
              maxH: '80',
              overflowY: 'auto',
              tabIndex: 0,
              role: 'group',
              'aria-label': label,
            }
          : { overflowWrap: 'anywhere' })}
      >
        {text}
      </chakra.code>
      <IconButton
        label={isCopied ? t('actions.copied') : label}
        size="sm"
        icon={isCopied ? <Check size={16} /> : <Copy size={16} />}
        onClick={() => void copy()}
      />
    </chakra.div>
  );
}
