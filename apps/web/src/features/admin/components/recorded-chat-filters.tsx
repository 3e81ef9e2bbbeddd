import { recordRatings } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Input, Select } from "../../../components/ui/field.tsx";
import { SearchField } from "../../../components/ui/text-field.tsx";
import { cn } from "../../../lib/cn.ts";
import { useRights } from "../../../lib/current-user.ts";
import { workspacesQuery } from "../../../lib/workspaces.ts";
import { usersQuery } from "../api/users.ts";
import type { RecordedChatSearch } from "../state/page-search.ts";

/** Pause in typing before the filter applies, in ms. */
const typingPause = 300;
const control = "h-8 w-auto max-w-[180px] max-md:h-11 max-md:max-w-none max-md:w-full";

/** The list's filters; any change goes back to its first page. */
export function RecordedChatFilters({
  search,
  isFiltered,
  onSearch,
}: {
  search: RecordedChatSearch;
  isFiltered: boolean;
  onSearch: (search: RecordedChatSearch) => void;
}) {
  const { t } = useTranslation("recorded");
  const { multiUser } = useRights();
  const workspaces = useQuery(workspacesQuery);
  const users = useQuery({ ...usersQuery, enabled: multiUser });
  const set = (change: RecordedChatSearch): void => {
    const { page: _page, ...rest } = { ...search, ...change };
    onSearch(rest);
  };
  return (
    <div
      className="flex flex-none flex-wrap items-center gap-2 px-6 pb-4 max-md:grid max-md:grid-cols-2 max-md:px-4 max-md:pb-3"
      role="search"
    >
      <SearchedText value={search.search ?? ""} onChange={(text) => set({ search: text })} />
      <Select
        className={control}
        aria-label={t("workspace")}
        value={search.workspaceId ?? ""}
        onChange={({ target: { value } }) => set({ workspaceId: Number(value) })}
      >
        <option value="">{t("allWorkspaces")}</option>
        {workspaces.data?.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      {multiUser && (
        <Select
          className={control}
          aria-label={t("user")}
          value={search.userId ?? ""}
          onChange={({ target: { value } }) =>
            set({ userId: value === "none" ? value : Number(value) })
          }
        >
          <option value="">{t("allUsers")}</option>
          {users.data?.map(({ id, username }) => (
            <option key={id} value={id}>
              {username}
            </option>
          ))}
          <option value="none">{t("noUser")}</option>
        </Select>
      )}
      <Select
        className={cn(control, multiUser && "max-md:col-span-2")}
        aria-label={t("rating")}
        value={search.rating ?? ""}
        onChange={({ target: { value } }) =>
          set({ rating: value as NonNullable<RecordedChatSearch["rating"]> })
        }
      >
        <option value="">{t("allRatings")}</option>
        {recordRatings.map((rating) => (
          <option key={rating} value={rating}>
            {t(rating)}
          </option>
        ))}
      </Select>
      {(["from", "to"] as const).map((end) => (
        <label
          key={end}
          className="flex items-center gap-2 text-xs text-fg-3 max-md:grid max-md:gap-1"
        >
          {t(end)}
          <Input
            type="date"
            className="h-8 w-[140px] max-md:h-11 max-md:w-full"
            value={search[end] ?? ""}
            onChange={({ target: { value } }) => set({ [end]: value })}
          />
        </label>
      ))}
      {isFiltered && (
        <Button
          variant="quiet"
          className="max-md:col-span-2 max-md:h-11"
          onClick={() => onSearch({})}
        >
          {t("clear")}
        </Button>
      )}
    </div>
  );
}

function SearchedText({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const { t } = useTranslation("recorded");
  const [text, setText] = useState(value);
  const sent = useRef(value);
  // The address changed in another way, for example when the filters were cleared.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    if (text.trim() === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = text.trim();
      onChange(sent.current);
    }, typingPause);
    return () => clearTimeout(timer);
  });
  return (
    <SearchField
      className="h-8 w-[200px] max-md:col-span-2 max-md:h-11 max-md:w-full"
      label={t("search")}
      value={text}
      maxLength={500}
      onChange={(event) => setText(event.target.value)}
    />
  );
}
