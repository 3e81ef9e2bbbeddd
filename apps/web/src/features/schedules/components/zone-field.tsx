import { useId, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Combobox, type ComboboxOption } from "../../../components/ui/combobox.tsx";
import { Field, FieldLabel } from "../../../components/ui/field.tsx";
import { browserZone } from "../../../lib/schedule-timing.ts";
import { FieldNote } from "./field-note.tsx";

/** "GMT+1": a time zone's current offset. */
const offsetOf = (zone: string): string =>
  new Intl.DateTimeFormat(document.documentElement.lang, {
    timeZone: zone,
    timeZoneName: "shortOffset",
  })
    .formatToParts()
    .find(({ type }) => type === "timeZoneName")?.value ?? "";

/** All time zones, this device's first. */
function listZones(here: string): ComboboxOption[] {
  const zones = new Set([browserZone(), "UTC", ...Intl.supportedValuesOf("timeZone")]);
  return [...zones].map((zone) => ({
    value: zone,
    // Found by the names of places with spaces, too.
    text: zone === browserZone() ? here : null,
    hint: offsetOf(zone),
  }));
}

export function ZoneField({
  value,
  problem,
  onChange,
}: {
  value: string;
  problem: string | null;
  onChange: (zone: string) => void;
}) {
  const { t } = useTranslation("schedules");
  const id = useId();
  // Determined when the list first opens, because it takes some 50 ms.
  const [isListed, setListed] = useState(false);
  const options = useMemo(() => (isListed ? listZones(t("form.zoneHere")) : null), [isListed, t]);
  return (
    <Field>
      <FieldLabel htmlFor={id}>{t("form.zone")}</FieldLabel>
      <Combobox
        id={id}
        value={value}
        options={options ?? []}
        listLabel={t("form.zones")}
        status={(found) => (options !== null && found === 0 ? t("form.zoneUnknown") : null)}
        autoComplete="off"
        spellCheck={false}
        invalid={problem !== null}
        aria-invalid={problem !== null || undefined}
        aria-describedby={problem === null ? undefined : `${id}-note`}
        onOpen={() => setListed(true)}
        onPick={(option) => onChange(option.value)}
        onChange={(event) => onChange(event.target.value)}
      />
      <FieldNote id={`${id}-note`} problem={problem} />
    </Field>
  );
}
