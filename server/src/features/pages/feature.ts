import { defineFeature } from '../../feature.ts';
import { renderApiPage } from './api-page.ts';
import type { ConsoleLook } from './console-look.ts';
import { loadPages } from './files.ts';
import { answerNavigations, servePages } from './routes.ts';

export const pages = defineFeature({
  name: 'pages',
  needs: ['config', 'consoleDir', 'docsDir', 'openApiDocument', 'pages', 'pagesDir', 'rateLimit'],
  open({ config, openApiDocument, pagesDir, consoleDir, docsDir }) {
    if (config.role === 'worker') return {};
    const apiPage = (look: ConsoleLook): string => renderApiPage(openApiDocument(), look);
    return { pages: loadPages({ pagesDir, consoleDir, docsDir, apiPage }) };
  },
  hooks: (parts) => ({ answerNavigation: answerNavigations(parts.pages, parts) }),
  routes: (http, parts) => servePages(http, parts.pages),
});
