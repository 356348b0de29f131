import {
  createSystem,
  defaultBaseConfig,
  defineConfig,
  type RecipeCreatorFn,
  type RecipeDefinition,
} from '@chakra-ui/react';
import { checkboxRecipe, sliderRecipe, switchRecipe } from './recipes/controls';
import {
  comboboxRecipe,
  dialogRecipe,
  drawerRecipe,
  menuRecipe,
  popoverRecipe,
  toastRecipe,
  tooltipRecipe,
} from './recipes/overlays';
import { tabsRecipe } from './recipes/tabs';
import { target } from './screens';
import { semanticTokens, tokens } from './tokens';
import { textStyles } from './typography';

const config = defineConfig({
  preflight: true,
  theme: {
    // 600 px is the drawer's breakpoint (rules/screens §1).
    breakpoints: { sm: '601px', md: '900px', lg: '1200px', xl: '1440px' },
    tokens,
    semanticTokens,
    textStyles,
    keyframes: {
      'fade-in': { from: { opacity: 0 } },
      'fade-out': { to: { opacity: 0 } },
      'scale-in': { from: { opacity: 0, transform: 'scale(0.98)' } },
      'slide-in-left': { from: { transform: 'translateX(-100%)' } },
      'slide-out-left': { to: { transform: 'translateX(-100%)' } },
      'slide-in-right': { from: { transform: 'translateX(100%)' } },
      'slide-out-right': { to: { transform: 'translateX(100%)' } },
      pulse: { '50%': { opacity: 0.5 } },
      spin: { to: { transform: 'rotate(360deg)' } },
    },
    slotRecipes: {
      checkbox: checkboxRecipe,
      combobox: comboboxRecipe,
      dialog: dialogRecipe,
      drawer: drawerRecipe,
      menu: menuRecipe,
      popover: popoverRecipe,
      slider: sliderRecipe,
      switch: switchRecipe,
      tabs: tabsRecipe,
      toast: toastRecipe,
      tooltip: tooltipRecipe,
    },
  },
  globalCss: {
    html: {
      bg: 'bg.canvas',
      color: 'fg.default',
      fontFamily: 'body',
      fontFeatureSettings: "'cv05', 'ss03'",
      fontSize: '14px',
      lineHeight: '20px',
      textSizeAdjust: '100%',
    },
    'html, body, #root': { h: 'full' },
    body: { overflow: 'hidden' },
    '*, *::before, *::after': {
      borderColor: 'border.subtle',
      '@media (prefers-reduced-motion: reduce)': {
        animationDuration: '0.01ms !important',
        animationIterationCount: '1 !important',
        // Zero: with a short duration a changed inherited colour would pass from element to
        // element.
        transitionDuration: '0s !important',
        scrollBehavior: 'auto !important',
      },
    },
    '::selection': { bg: 'brand.border', color: 'fg.default' },
    '.lucide': { strokeWidth: '1.75' },
    'button, select, [role=button], [role=option]': target,
  },
});

const made = createSystem(defaultBaseConfig, config);
const recipes = new WeakMap<object, ReturnType<RecipeCreatorFn>>();

/**
 * The recipe of a definition, cached. Chakra asks for it at each render of an element, and a new
 * recipe has lost the cache of its resolved styles.
 */
function recipeOf(definition: RecipeDefinition): ReturnType<RecipeCreatorFn> {
  let recipe = recipes.get(definition);
  if (!recipe) {
    recipe = made.cva(definition);
    recipes.set(definition, recipe);
  }
  return recipe;
}

export const system = { ...made, cva: recipeOf as RecipeCreatorFn };
