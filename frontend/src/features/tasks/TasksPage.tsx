import { chakra } from '@chakra-ui/react';
import { ListTodo, Plus, Save, Trash2, X } from 'lucide-react';
import { useRef, useState, type KeyboardEvent, type ReactNode, type SubmitEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { ConfirmDialog } from '@/components/Dialog';
import { IconButton } from '@/components/IconButton';
import { Page } from '@/components/Page';
import { EmptyState } from '@/components/States';
import { TextInput } from '@/components/TextInput';
import { toast } from '@/lib/toast';
import { useUnsaved } from '@/lib/unsaved';
import { LONGEST, restored, without, withDone, withTask, withText, type Task } from './list';
import { useTasks } from './store';
import { TaskRow } from './TaskRow';

interface Edit {
  task: Task;
  /** The edited text. */
  text: string;
}

/** The to-do list, stored only in this browser (rules/screens §7). */
export function TasksPage() {
  const { t } = useTranslation(['tasks', 'common']);
  const [tasks, change] = useTasks();
  const [fresh, setFresh] = useState('');
  const [edit, setEdit] = useState<Edit | null>(null);
  /** The next task to edit (null: a new one), while the user confirms to discard changes. */
  const [next, setNext] = useState<{ task: Task | null } | null>(null);
  const [problem, setProblem] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const text = edit?.text ?? fresh;
  const isChanged = edit !== null && edit.text !== edit.task.text;
  useUnsaved(isChanged || fresh.trim() !== '', 'page');
  const open = tasks.filter(({ done }) => !done).reverse();
  const finished = tasks.filter(({ done }) => done).reverse();

  /** Returns whether the change was stored; shows an error if not. */
  function store(edit: Parameters<typeof change>[0]): boolean {
    try {
      change(edit);
    } catch {
      const words = t('notStored');
      setProblem(words);
      toast.errorText(words);
      return false;
    }
    setProblem(undefined);
    return true;
  }

  function write(task: Task | null) {
    setEdit(task && { task, text: task.text });
    setNext(null);
    setProblem(undefined);
    // The dialog must return the focus first.
    requestAnimationFrame(() => field.current?.focus());
  }

  /** Starts to edit a task, or a new one (null); asks before it discards changes. */
  const goOn = (task: Task | null) => (isChanged ? setNext({ task }) : write(task));

  function submit(event: SubmitEvent) {
    event.preventDefault();
    if (!text.trim()) {
      setProblem(t('empty.text'));
      field.current?.focus();
      return;
    }
    const isStored = store((all) =>
      edit ? withText(all, edit.task.id, text) : withTask(all, text),
    );
    if (!isStored) {
      field.current?.focus();
      return;
    }
    if (!edit) setFresh('');
    write(null);
  }

  function remove(gone: readonly Task[], place: number) {
    if (!store((all) => without(all, gone))) return;
    if (edit && !isChanged && gone.some(({ id }) => id === edit.task.id)) setEdit(null);
    // The focused button is removed with its row: focus the row that takes its place.
    requestAnimationFrame(() => {
      const rows = list.current?.querySelectorAll<HTMLElement>('li') ?? [];
      (rows[Math.min(place, rows.length - 1)] ?? field.current)?.focus();
    });
    const words = t('deleted', { count: gone.length });
    toast.undo(words, t('undo'), () => store((all) => restored(all, gone)));
  }

  const cancel = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && edit) {
      event.stopPropagation();
      goOn(null);
    }
  };
  const rows = (some: readonly Task[], first: number) =>
    some.map((task, place) => (
      <TaskRow
        key={task.id}
        task={task}
        isEdited={task.id === edit?.task.id}
        onDone={(done) => store((all) => withDone(all, task.id, done))}
        onEdit={() => goOn(task)}
        onDelete={() => remove([task], first + place)}
      />
    ));

  return (
    <Page>
      <chakra.div w="full" maxW="720px" mx="auto" flex="1" minH="0" display="flex" flexDir="column">
        <chakra.form onSubmit={submit} noValidate display="flex" gap="2" alignItems="flex-start">
          <chakra.div flex="1" minW="0" onKeyDown={cancel}>
            <TextInput
              ref={field}
              autoFocus
              aria-label={edit ? t('editing') : t('new')}
              aria-invalid={problem ? true : undefined}
              aria-describedby={problem ? 'task-problem' : undefined}
              placeholder={t('placeholder')}
              autoComplete="off"
              maxLength={LONGEST}
              value={text}
              onChange={(event) => {
                if (edit) setEdit({ ...edit, text: event.target.value });
                else setFresh(event.target.value);
                setProblem(undefined);
              }}
            />
          </chakra.div>
          {edit && (
            <IconButton
              label={t('common:actions.cancel')}
              icon={<X size={16} />}
              onClick={() => goOn(null)}
            />
          )}
          <Button
            type="submit"
            variant="solid"
            icon={edit ? <Save size={16} aria-hidden /> : <Plus size={16} aria-hidden />}
          >
            {edit ? t('common:actions.save') : t('common:actions.add')}
          </Button>
        </chakra.form>
        {problem && (
          <chakra.p id="task-problem" role="alert" mt="1.5" textStyle="xs" color="status.danger.fg">
            {problem}
          </chakra.p>
        )}
        {tasks.length === 0 ? (
          <EmptyState icon={<ListTodo size={20} />} title={t('none.title')} text={t('none.text')} />
        ) : (
          <chakra.div ref={list} flex="1" minH="0" overflowY="auto" mt="4" mx="-2" px="2" pb="2">
            <Rows label={t('open', { count: open.length })}>{rows(open, 0)}</Rows>
            {finished.length > 0 && (
              <>
                <chakra.div display="flex" alignItems="center" mt="4" mb="1" minH="9">
                  <chakra.h2 flex="1" textStyle="sm" fontWeight="semibold" color="fg.muted">
                    {t('finished', { count: finished.length })}
                  </chakra.h2>
                  <Button
                    size="sm"
                    variant="ghost"
                    icon={<Trash2 size={16} aria-hidden />}
                    onClick={() => remove(finished, open.length)}
                  >
                    {t('deleteFinished')}
                  </Button>
                </chakra.div>
                <Rows label={t('finished', { count: finished.length })}>
                  {rows(finished, open.length)}
                </Rows>
              </>
            )}
            <chakra.p mt="3" textStyle="xs" color="fg.muted">
              {t('hereAlone')}
            </chakra.p>
          </chakra.div>
        )}
      </chakra.div>
      <ConfirmDialog
        open={next !== null}
        onClose={() => setNext(null)}
        onConfirm={() => write(next?.task ?? null)}
        title={t('common:dialog.discardTitle')}
        confirmLabel={t('common:actions.discard')}
        cancelLabel={t('common:actions.keepEditing')}
      >
        {t('common:dialog.discardText')}
      </ConfirmDialog>
    </Page>
  );
}

function Rows({ label, children }: { label: string; children: ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <chakra.ul
      aria-label={label}
      listStyleType="none"
      bg="bg.surface"
      borderWidth="1px"
      borderRadius="md"
      overflow="hidden"
    >
      {children}
    </chakra.ul>
  );
}
