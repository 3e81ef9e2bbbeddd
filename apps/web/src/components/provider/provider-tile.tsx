import { cva, type VariantProps } from "class-variance-authority";
import { providerInitials } from "../../lib/provider-form.ts";

const tile = cva(
  "grid flex-none place-items-center bg-active leading-none font-semibold text-fg-2",
  {
    variants: {
      size: { sm: "size-[26px] rounded-sm text-[11px]", lg: "size-10 rounded-md text-[15px]" },
    },
    defaultVariants: { size: "sm" },
  },
);

/** The provider's initials; its name is shown next to them. */
export const ProviderTile = ({ name, size }: { name: string } & VariantProps<typeof tile>) => (
  <span className={tile({ size })} aria-hidden="true">
    {providerInitials(name)}
  </span>
);
