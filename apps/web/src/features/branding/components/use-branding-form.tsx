import { listPreferences, updatePreferences, type Args } from "@carrel/contracts";
import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import { Plus, Trash2 } from "lucide-react";
import { useRef, useState, type ReactNode } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import { FieldError, Input, Select } from "../../../components/ui/field.tsx";
import { FormSection } from "../../../components/ui/form-section.tsx";
import { FailedQuery } from "../../../components/ui/notice.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { call } from "../../../lib/api.ts";
import { addTexts } from "../../../lib/i18n.ts";
import { instanceKeys } from "../../../lib/query-keys.ts";
import appearance from "../../../locales/en/appearance.json" with { type: "json" };
import { parseFooter, type FooterLink } from "../api/branding.ts";
import { footerIcons, iconOf } from "./footer-links.tsx";

/** What people see of the instance, apart from its logo. */
interface BrandingValues {
  name: string;
  title: string;
  favicon: string;
  email: string;
  links: FooterLink[];
}
type TextName = Exclude<keyof BrandingValues, "links">;

/** wire-contract 7. */
const labels: Record<keyof BrandingValues, string> = {
  name: "custom_app_name",
  title: "meta_page_title",
  favicon: "meta_page_favicon",
  email: "support_email",
  links: "footer_data",
};
const brandingLabels = Object.values(labels);
const textNames: readonly TextName[] = ["name", "title", "email", "favicon"];
const longest: Record<TextName, number> = {
  name: 255,
  title: 255,
  email: 320,
  favicon: 2_048,
};

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

export function valuesOf(settings: Record<string, unknown>, links: FooterLink[]): BrandingValues {
  return {
    name: textOf(settings[labels.name]),
    title: textOf(settings[labels.title]),
    favicon: textOf(settings[labels.favicon]),
    email: textOf(settings[labels.email]),
    links,
  };
}

/** The preferences that differ, as sent: null unsets one. */
export function changesOf(
  values: BrandingValues,
  saved: BrandingValues,
): Record<string, string | null> {
  const changes: Record<string, string | null> = {};
  for (const name of textNames)
    if (values[name].trim() !== saved[name]) changes[labels[name]] = values[name].trim() || null;
  const links = JSON.stringify(values.links.map(({ icon, url }) => ({ icon, url: url.trim() })));
  if (links !== JSON.stringify(saved.links)) changes[labels.links] = links;
  return changes;
}

const isAddress = (text: string, protocols: RegExp): boolean =>
  URL.canParse(text) && protocols.test(new URL(text).protocol);

type TextFault = "email" | "favicon";
/** Why a text isn't accepted; null if it is. */
export function textFault(name: TextName, value: string): TextFault | null {
  const text = value.trim();
  if (text === "") return null;
  if (name === "email") return /^[^\s@]+@[^\s@]+$/.test(text) ? null : "email";
  if (name === "favicon") return isAddress(text, /^https?:$/) ? null : "favicon";
  return null;
}
export const isLinkFaulty = ({ url }: FooterLink): boolean =>
  !isAddress(url.trim(), /^(https?|mailto):$/);

export const faultCount = (values: BrandingValues): number =>
  textNames.filter((name) => textFault(name, values[name]) !== null).length +
  values.links.filter(isLinkFaulty).length;

// Loaded with the settings page, not with the first page; imported only there, or the bundler would
// share it.
addTexts("appearance", appearance);

const maxLinks = 3;

/** The links at the bottom of the sidebar: at most three icons and where they lead. */
function FooterEditor({
  links,
  onChange,
}: {
  links: FooterLink[];
  onChange: (links: FooterLink[]) => void;
}) {
  const { t } = useTranslation("appearance");
  const list = useRef<HTMLDivElement>(null);
  const change = (next: FooterLink[], focus: string): void => {
    flushSync(() => onChange(next));
    list.current?.querySelector<HTMLElement>(focus)?.focus();
  };
  const edit = (index: number, part: Partial<FooterLink>): void =>
    onChange(links.map((link, at) => (at === index ? { ...link, ...part } : link)));
  return (
    <FormSection title={t("footer")} help={t("footerHelp")}>
      <div ref={list} className="grid gap-3">
        {links.map((link, index) => {
          const number = index + 1;
          const Icon = iconOf(link.icon);
          const isFaulty = isLinkFaulty(link);
          const isKnown = footerIcons.some((name) => name === link.icon);
          return (
            <div
              key={index}
              className="grid gap-1.5"
              role="group"
              aria-label={t("linkNumber", { number })}
            >
              <div className="flex items-center gap-2 max-md:flex-wrap">
                <Icon className="text-fg-2" aria-hidden="true" />
                <div className="w-36 flex-none max-md:min-w-0 max-md:flex-1">
                  <Select
                    aria-label={t("linkIcon", { number })}
                    value={link.icon}
                    onChange={(event) => edit(index, { icon: event.target.value })}
                  >
                    {!isKnown && <option value={link.icon}>{link.icon}</option>}
                    {footerIcons.map((name) => (
                      <option key={name} value={name}>
                        {t(`icon.${name}`)}
                      </option>
                    ))}
                  </Select>
                </div>
                <IconButton
                  className="order-last max-md:order-none max-md:size-10"
                  label={t("removeLink", { number })}
                  onClick={() => change(links.toSpliced(index, 1), "[data-add]")}
                >
                  <Trash2 />
                </IconButton>
                <Input
                  className="max-md:basis-full"
                  data-address={index}
                  invalid={isFaulty && link.url !== ""}
                  inputMode="url"
                  dir="ltr"
                  spellCheck={false}
                  maxLength={2_048}
                  placeholder="https://"
                  aria-label={t("linkAddress", { number })}
                  aria-invalid={isFaulty || undefined}
                  aria-describedby={isFaulty ? `footer-${index}` : undefined}
                  value={link.url}
                  onChange={(event) => edit(index, { url: event.target.value })}
                />
              </div>
              {isFaulty && <FieldError id={`footer-${index}`}>{t("fault.link")}</FieldError>}
            </div>
          );
        })}
        <div>
          <Button
            data-add
            disabled={links.length >= maxLinks}
            onClick={() =>
              change(
                [...links, { icon: "LinkSimple", url: "" }],
                `[data-address="${links.length}"]`,
              )
            }
          >
            <Plus className="size-3.5 stroke-2" aria-hidden="true" />
            {t("addLink")}
          </Button>
        </div>
      </div>
    </FormSection>
  );
}

/** For managers, who may change the branding. */
const brandingQuery = queryOptions({
  queryKey: [...instanceKeys.branding, "texts"],
  queryFn: ({ signal }) => call(listPreferences, { labels: brandingLabels.join(",") }, { signal }),
  select: ({ settings }) => valuesOf(settings, parseFooter(settings.footer_data)),
});

const useSaveBranding = () =>
  useMutation({
    // The request body is the flat map itself.
    mutationFn: (changes: Record<string, string | null>) =>
      call(updatePreferences, changes as unknown as Args<typeof updatePreferences>),
    meta: { invalidates: [instanceKeys.branding], errorToast: false },
  });

/** The instance's texts and links as part of a form. `save` returns a function that undoes it. */
export function useBrandingForm(): {
  fields: ReactNode;
  changes: number;
  faults: number;
  save: () => Promise<() => Promise<unknown>>;
  discard: () => void;
} {
  const { t } = useTranslation(["appearance", "common"]);
  const query = useQuery(brandingQuery);
  const { mutateAsync } = useSaveBranding();
  const [typed, setTyped] = useState<Partial<BrandingValues>>({});
  const saved = query.data;
  const values = saved && { ...saved, ...typed };
  const changes = values ? changesOf(values, saved) : {};
  const change = (part: Partial<BrandingValues>): void =>
    setTyped((before) => ({ ...before, ...part }));
  return {
    changes: Object.keys(changes).length,
    faults: values ? faultCount(values) : 0,
    discard: () => setTyped({}),
    save: async () => {
      const back = values ? changesOf(saved, values) : {};
      await mutateAsync(changes);
      setTyped({});
      return () => mutateAsync(back);
    },
    fields: values ? (
      <>
        <BrandingTexts values={values} onChange={change} />
        <FooterEditor links={values.links} onChange={(links) => change({ links })} />
      </>
    ) : query.error ? (
      <FailedQuery
        title={t("loadFailed")}
        retryLabel={t("common:retry")}
        error={query.error}
        retry={() => void query.refetch()}
      />
    ) : (
      <Skeleton aria-label={t("common:loading")} />
    ),
  };
}

/** Name, page title, support address and icon of the instance. */
function BrandingTexts({
  values,
  onChange,
}: {
  values: BrandingValues;
  onChange: (part: Partial<Record<TextName, string>>) => void;
}) {
  const { t } = useTranslation("appearance");
  return (
    <FormSection title={t("identity")} help={t("identityHelp")}>
      {textNames.map((name) => {
        const fault = textFault(name, values[name]);
        const isAddress = name === "email" || name === "favicon";
        return (
          <TextField
            key={name}
            label={t(`label.${name}`)}
            help={t(`help.${name}`)}
            placeholder={name === "name" ? "Carrel" : undefined}
            inputMode={name === "email" ? "email" : name === "favicon" ? "url" : undefined}
            dir={isAddress ? "ltr" : "auto"}
            autoComplete="off"
            spellCheck={isAddress ? false : undefined}
            maxLength={longest[name]}
            problem={fault && t(`fault.${fault}`)}
            value={values[name]}
            onChange={(event) => onChange({ [name]: event.target.value })}
          />
        );
      })}
    </FormSection>
  );
}
