import { chakra } from '@chakra-ui/react';
import { CircleAlert, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '@/components/IconButton';

interface NoticesProps {
  notices: readonly string[];
  onClose: () => void;
}

/** The files or recordings that failed, and why; a notice stays until it is dismissed. */
export function Notices({ notices, onClose }: NoticesProps) {
  const { t } = useTranslation('common');
  return (
    <chakra.div role="alert">
      {notices.length > 0 && (
        <chakra.div
          display="flex"
          alignItems="flex-start"
          gap="2"
          mb="2"
          ps="3"
          pe="1"
          py="1"
          borderRadius="md"
          borderWidth="1px"
          borderColor="status.danger.border"
          bg="status.danger.subtle"
          color="status.danger.fg"
          textStyle="sm"
        >
          <chakra.span display="flex" flexShrink="0" pt="1.5">
            <CircleAlert size={16} aria-hidden />
          </chakra.span>
          <chakra.ul listStyleType="none" flex="1" minW="0" py="1" overflowWrap="anywhere">
            {notices.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </chakra.ul>
          <IconButton
            label={t('actions.close')}
            icon={<X size={16} />}
            size="sm"
            onClick={onClose}
          />
        </chakra.div>
      )}
    </chakra.div>
  );
}
