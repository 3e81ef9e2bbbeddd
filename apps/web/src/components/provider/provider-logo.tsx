import type { ProviderDeclaration } from "@carrel/contracts";
import { Globe } from "lucide-react";
import { providerInitials } from "../../lib/provider-form.ts";
import { colouredLogos, plainLogos } from "./provider-logos.ts";

/** Carrel itself: the C of its wordmark (in index.html). */
const own = ["extractive", "native"];

/** The provider's logo or, without one, its initials. */
export default function ProviderLogo({
  id,
  name,
  inBrowser,
}: Pick<ProviderDeclaration, "id" | "name" | "inBrowser">) {
  if (id === "native" && inBrowser === true) return <Globe />;
  if (own.includes(id))
    return (
      <svg className="text-fg-1" viewBox="2.5 3 18 18">
        <use href="#wordmark" />
      </svg>
    );
  const coloured = colouredLogos[id];
  if (coloured !== undefined) return <img src={coloured} alt="" />;
  const plain = plainLogos[id];
  if (plain === undefined) return providerInitials(name);
  return (
    <span
      className="bg-fg-1 mask-contain mask-center mask-no-repeat forced-color-adjust-none"
      style={{ maskImage: `url("${plain}")` }}
    />
  );
}
