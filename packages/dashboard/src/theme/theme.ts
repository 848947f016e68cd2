import { createTheme, defaultVariantColorsResolver } from '@mantine/core';
import type {
  BadgeProps,
  CSSVariablesResolver,
  DrawerProps,
  MantineColorsTuple,
  MenuProps,
  ModalProps,
  NotificationProps,
  PasswordInputProps,
  SelectProps,
  TextInputProps,
  TooltipProps,
} from '@mantine/core';
import { GROUP_COLORS, groupVariables, SURFACES } from './group-colors.ts';

/**
 * The accent colour, like shallow water on a map. Shade 7 has a contrast of 5.7:1
 * on the light theme (paper), and shade 3 has 8:1 on the dark theme (night).
 */
const lagoon: MantineColorsTuple = [
  '#e6f4f1',
  '#cde9e4',
  '#a3d8d0',
  '#6fc5ba',
  '#43aea5',
  '#229a92',
  '#0f857f',
  '#0b6f6b',
  '#095b58',
  '#084443',
];

/** The colour of unfinished ground, for the development environment. */
const ochre: MantineColorsTuple = [
  '#fbf1dc',
  '#f6e4bd',
  '#efd08a',
  '#e7ba55',
  '#dea62f',
  '#c98f1a',
  '#a87412',
  '#85590b',
  '#6b4708',
  '#503505',
];

/** The colour of loss and mistakes. */
const clay: MantineColorsTuple = [
  '#fcebe6',
  '#f8d5cb',
  '#f2b3a2',
  '#ea8d76',
  '#e06d52',
  '#cf5237',
  '#b94028',
  '#a2331d',
  '#842816',
  '#621d10',
];

/** The colour of success. */
const moss: MantineColorsTuple = [
  '#ebf4e3',
  '#d8eac8',
  '#b9d9a0',
  '#97c673',
  '#7bb44f',
  '#629c37',
  '#4e822a',
  '#3c6a20',
  '#305619',
  '#234012',
];

/** The neutral colours of the light theme (paper). */
const gray: MantineColorsTuple = [
  '#f8f6f1',
  '#f1eee7',
  '#e7e3da',
  '#d8d3c8',
  '#bcb6a9',
  '#938d82',
  '#6b665e',
  '#514d47',
  '#383632',
  '#211f1d',
];

/** The neutral colours of the dark theme (night), from text to ground. */
const dark: MantineColorsTuple = [
  '#dbe3e2',
  '#b7c3c3',
  '#93a1a3',
  '#67777b',
  '#3b4a4f',
  '#2a373b',
  '#1b262a',
  '#11191c',
  '#0c1315',
  '#070c0e',
];

/** Gives default props the type of a component's props, without loading the component. */
const byDefault = <Props>(defaultProps: Partial<Props>) => ({ defaultProps });

/** Without `role: none`, the header of a dialog would be a second banner of the page for screen readers. */
const namedDialog = {
  closeButtonProps: { 'aria-label': 'Close' },
  attributes: { header: { role: 'none' } },
};

export const theme = createTheme({
  primaryColor: 'lagoon',
  primaryShade: { light: 7, dark: 3 },
  // Filled buttons are dark on paper and bright at night, so the colour of their text follows the theme.
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input);
    return input.variant === 'filled' ? { ...colors, color: 'var(--on-fill)' } : colors;
  },
  colors: { lagoon, ochre, clay, moss, gray, dark, red: clay, green: moss },
  white: '#fffefb',
  black: '#211f1d',
  fontFamily: '"Figtree Variable", system-ui, sans-serif',
  fontFamilyMonospace: '"JetBrains Mono Variable", ui-monospace, monospace',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '19px' },
  lineHeights: { xs: '16px', sm: '20px', md: '22px', lg: '24px', xl: '28px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  defaultRadius: 'md',
  radius: { xs: '2px', sm: '4px', md: '6px', lg: '10px', xl: '16px' },
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '22px', lineHeight: '28px' },
      h2: { fontSize: '16px', lineHeight: '24px' },
      h3: { fontSize: '14px', lineHeight: '20px' },
    },
  },
  shadows: { md: '0 4px 16px rgb(20 30 30 / 14%)', xl: '0 16px 48px rgb(10 20 20 / 22%)' },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Badge: byDefault<BadgeProps>({ variant: 'light', tt: 'none', fw: 500 }),
    PasswordInput: byDefault<PasswordInputProps>({
      visibilityToggleButtonProps: { 'aria-label': 'Show the text' },
    }),
    // Fields hold data of games, for which a browser has no suggestions.
    TextInput: byDefault<TextInputProps>({ autoComplete: 'off' }),
    Select: byDefault<SelectProps>({ allowDeselect: false }),
    Notification: byDefault<NotificationProps>({ closeButtonProps: { 'aria-label': 'Close' } }),
    Modal: {
      ...byDefault<ModalProps>({
        centered: true,
        transitionProps: { duration: 120 },
        padding: 'lg',
        overlayProps: { backgroundOpacity: 0.4 },
        ...namedDialog,
      }),
      styles: { title: { fontSize: 16, fontWeight: 650 } },
    },
    Drawer: byDefault<DrawerProps>(namedDialog),
    // A menu may not contain an element such as Mantine's placeholder. Without the placeholder, the first
    // item gets the focus.
    Menu: byDefault<MenuProps>({ withInitialFocusPlaceholder: false }),
    Tooltip: byDefault<TooltipProps>({ openDelay: 250, transitionProps: { duration: 80 } }),
  },
});

const ramps = { lagoon, ochre, clay, moss };
const grayTint = (ground: string, text: string) => ({
  '--mantine-color-gray-light': ground,
  '--mantine-color-gray-light-hover': ground,
  '--mantine-color-gray-light-color': text,
});

/**
 * The tinted backgrounds and the outlines of badges and notices. At night, Mantine's tints are too heavy
 * and its outlines too pale.
 */
const tints = (ground: (ramp: MantineColorsTuple) => string, text: 2 | 8, outline: 3 | 7) =>
  Object.fromEntries(
    Object.entries(ramps).flatMap(([name, ramp]) => [
      [`--mantine-color-${name}-light`, ground(ramp)],
      [`--mantine-color-${name}-light-hover`, ground(ramp)],
      [`--mantine-color-${name}-light-color`, ramp[text]],
      [`--mantine-color-${name}-outline`, ramp[outline]],
    ]),
  );

/** The CSS variables that Mantine lacks, for each theme. */
export const resolveVariables: CSSVariablesResolver = () => ({
  variables: { '--sidebar-width': '248px' },
  light: {
    '--mantine-color-body': '#fffefb',
    '--mantine-color-dimmed': gray[6],
    '--mantine-color-default-border': gray[3],
    '--mantine-color-error': clay[7],
    '--mantine-color-anchor': lagoon[7],
    '--mantine-color-placeholder': '#78726a',
    '--on-fill': '#fffefb',
    '--mantine-primary-color-contrast': '#fffefb',
    '--ground': gray[0],
    '--surface': SURFACES.light,
    '--hairline': gray[2],
    '--hover': gray[1],
    '--accent': lagoon[7],
    '--accent-soft': lagoon[0],
    '--chart': lagoon[7],
    '--chart-compared': '#78726a',
    '--mark': ochre[7],
    ...groupVariables(GROUP_COLORS.light),
    '--development': ochre[7],
    '--development-soft': ochre[0],
    '--contour': '#c9d9d2',
    '--scrollbar': gray[5],
    ...tints((ramp) => ramp[0], 8, 7),
    ...grayTint(gray[2], gray[7]),
  },
  dark: {
    '--mantine-color-body': dark[7],
    '--mantine-color-dimmed': dark[2],
    '--mantine-color-default-border': dark[4],
    '--mantine-color-error': clay[3],
    '--mantine-color-anchor': lagoon[3],
    '--mantine-color-placeholder': '#84949a',
    '--on-fill': dark[8],
    '--mantine-primary-color-contrast': dark[8],
    '--ground': dark[8],
    '--surface': SURFACES.dark,
    '--hairline': dark[5],
    '--hover': dark[6],
    '--accent': lagoon[3],
    '--accent-soft': '#10302f',
    '--chart': lagoon[3],
    '--chart-compared': '#84949a',
    '--mark': ochre[3],
    ...groupVariables(GROUP_COLORS.dark),
    '--development': ochre[3],
    '--development-soft': '#2e2410',
    '--contour': '#1f3a3b',
    '--scrollbar': dark[3],
    ...tints((ramp) => `color-mix(in srgb, ${ramp[4]} 15%, transparent)`, 2, 3),
    ...grayTint(dark[5], dark[1]),
  },
});
