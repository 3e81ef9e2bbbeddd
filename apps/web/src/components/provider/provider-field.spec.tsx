import type { ProviderField } from "@carrel/contracts";
import { afterEach, expect, it } from "@jest/globals";
import { cleanup, render } from "@testing-library/react";
import { useForm } from "react-hook-form";
import { ProviderFieldRow } from "./provider-field.tsx";

afterEach(cleanup);

const field: ProviderField = {
  key: "VoyageAiApiKey",
  label: "key",
  kind: "secret",
  required: true,
};

function Row({ saved }: { saved: boolean }) {
  const { register } = useForm({ defaultValues: { VoyageAiApiKey: "" } });
  return (
    <ProviderFieldRow
      field={field}
      registration={register("VoyageAiApiKey")}
      value=""
      fault={null}
      saved={saved}
      locked={false}
      listing={null}
      keyUrl={null}
      onReplace={() => undefined}
    />
  );
}

it("shows asterisks only while a key is saved, so that undoing leaves the field empty", () => {
  const { container, rerender } = render(<Row saved={false} />);
  const input = () => container.querySelector("input")!;
  expect(input().value).toBe("");
  rerender(<Row saved />);
  expect(input().value).toMatch(/^\*+$/);
  rerender(<Row saved={false} />);
  expect(input().type).toBe("password");
  expect(input().value).toBe("");
});
