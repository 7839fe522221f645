import { defineFeature } from '../../feature.ts';
import { renderApiPage } from './api-page.ts';
import { loadPages } from './files.ts';
import { answerNavigations, servePages } from './routes.ts';

export const pages = defineFeature({
  name: 'pages',
  needs: ['config', 'consoleDir', 'openApiDocument', 'pages', 'pagesDir', 'rateLimit'],
  open({ config, openApiDocument, pagesDir, consoleDir }) {
    if (config.role === 'worker') return {};
    return { pages: loadPages({ pagesDir, consoleDir, apiPage: (look) => renderApiPage(openApiDocument(), look) }) };
  },
  hooks: (parts) => ({ answerNavigation: answerNavigations(parts.pages, parts) }),
  routes: (http, parts) => servePages(http, parts.pages),
});
