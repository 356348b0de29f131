import { useTranslation } from 'react-i18next';
import { chakra } from '@chakra-ui/react';
import { FileField } from '@/components/FileField';
import type { OptionDraft } from '../drafts';
import { shownFile } from '../files';
import type { TreeCommands } from './useTree';

interface OptionFileProps {
  node: OptionDraft;
  commands: TreeCommands;
}

/** The file that goes with the option's message. */
export function OptionFile({ node: { key, file, asks, children }, commands }: OptionFileProps) {
  const { t } = useTranslation('queueBot');
  const goesBefore = asks !== '' || children.length > 0;
  return (
    <chakra.div display="flex" flexDirection="column" gap="1.5">
      <FileField
        file={shownFile(file)}
        readOnly={false}
        progress={null}
        onChange={(chosen) => commands.change(key, { file: chosen })}
      />
      {file && (
        <chakra.p textStyle="xs" color="fg.muted">
          {t(goesBefore ? 'editor.fileBefore' : 'editor.fileWith')}
        </chakra.p>
      )}
    </chakra.div>
  );
}
