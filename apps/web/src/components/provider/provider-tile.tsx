import type { ProviderDeclaration } from "@carrel/contracts";
import { cva, type VariantProps } from "class-variance-authority";
import { Suspense } from "react";
import { lazyPart } from "../../lib/lazy-part.ts";
import { providerInitials } from "../../lib/provider-form.ts";

const tile = cva(
  "grid flex-none place-items-center bg-active leading-none font-semibold text-fg-2",
  {
    variants: {
      size: {
        sm: "size-[26px] rounded-sm text-[11px] *:size-4",
        lg: "size-10 rounded-md text-[15px] *:size-6",
      },
    },
    defaultVariants: { size: "sm" },
  },
);

type Provider = Pick<ProviderDeclaration, "id" | "name" | "inBrowser">;

/** Loaded separately, so that only lists of providers load their pictures. */
const Logo = lazyPart(() =>
  import("./provider-logo.tsx").catch(() => ({
    default: ({ name }: Provider) => providerInitials(name),
  })),
);

/** The provider's logo or, without one, its initials; its name is shown next to it. */
export const ProviderTile = ({
  provider: { id, name, inBrowser },
  size,
}: { provider: Provider } & VariantProps<typeof tile>) => (
  <span className={tile({ size })} aria-hidden="true">
    <Suspense>
      <Logo id={id} name={name} inBrowser={inBrowser} />
    </Suspense>
  </span>
);
