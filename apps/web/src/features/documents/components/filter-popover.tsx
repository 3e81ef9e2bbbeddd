import type { DocumentKind, LibraryFilter } from '@carrel/contracts';
import { ListFilter } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useTranslation } from 'react-i18next';
import type { Sorting } from '../api/library.ts';
import { Check } from './check.tsx';

const kinds: DocumentKind[] = ['pdf', 'word', 'slides', 'sheet', 'text', 'markdown', 'web', 'mail', 'book', 'code', 'data', 'image', 'audio', 'video', 'other'];
export type Narrowing = Pick<LibraryFilter, 'kinds' | 'tags'> & { state: LibraryFilter['state'] | null; missing: boolean };
export const everything: Narrowing = { kinds: [], tags: [], state: null, missing: false };
export const isNarrowed = ({ kinds: some, tags, state, missing }: Narrowing): boolean => some.length + tags.length > 0 || state !== null || missing;

export const orders = [
  { label: 'sortTitle', sort: 'title', descending: false }, { label: 'sortTitleDown', sort: 'title', descending: true }, { label: 'sortAdded', sort: 'added', descending: true }, { label: 'sortAddedUp', sort: 'added', descending: false }, { label: 'sortBytes', sort: 'bytes', descending: true },
] as const;

const toggled = <T,>(list: T[], value: T): T[] => (list.includes(value) ? list.filter((each) => each !== value) : [...list, value]);

/** What of the library is listed, and in which order. */
export function FilterPopover({ value, tags, sorting, onChange, onSort }: { value: Narrowing; tags: string[]; sorting: Sorting; onChange: (value: Narrowing) => void; onSort: (sorting: Sorting) => void }) {
  const { t } = useTranslation('library');
  const narrowed = isNarrowed(value);
  const label = narrowed ? t('filterActive') : t('filter');
  const states = [{ value: null, label: t('stateAll') }, { value: 'waiting', label: t('stateWaiting') }, { value: 'ready', label: t('stateReady') }, { value: 'failed', label: t('stateFailed') }] as const;
  return (
    <Popover.Root>
      <Popover.Trigger className={narrowed ? 'ib on' : 'ib'} aria-label={label} title={label}><ListFilter className="i" aria-hidden="true" /></Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className="menu filter-menu" align="end" sideOffset={4} collisionPadding={8} aria-label={t('filter')}>
          <fieldset><legend>{t('state')}</legend><div className="choices">{states.map((each) => <button key={each.label} type="button" className="choice" aria-pressed={value.state === each.value} onClick={() => onChange({ ...value, state: each.value })}>{each.label}</button>)}</div>
            <label className="tag-choice"><Check checked={value.missing} onChange={() => onChange({ ...value, missing: !value.missing })} />{t('missingOnly')}</label></fieldset>
          <fieldset><legend>{t('kind')}</legend><div className="choices">{kinds.map((kind) => <button key={kind} type="button" className="choice" aria-pressed={value.kinds.includes(kind)} onClick={() => onChange({ ...value, kinds: toggled(value.kinds, kind) })}>{t(`kinds.${kind}`)}</button>)}</div></fieldset>
          {tags.length > 0 && <fieldset><legend>{t('tags')}</legend><div className="choices">{tags.map((tag) => <button key={tag} type="button" className="choice" aria-pressed={value.tags.includes(tag)} onClick={() => onChange({ ...value, tags: toggled(value.tags, tag) })}>{tag}</button>)}</div></fieldset>}
          <fieldset><legend>{t('order')}</legend><div className="choices">{orders.map((order) => <button key={order.label} type="button" className="choice" aria-pressed={sorting.sort === order.sort && sorting.descending === order.descending} onClick={() => onSort({ sort: order.sort, descending: order.descending })}>{t(order.label)}</button>)}</div></fieldset>
          {narrowed && <button type="button" className="link" onClick={() => onChange(everything)}>{t('reset')}</button>}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
