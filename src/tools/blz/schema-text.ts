// What `schema` prints: where a source lives and which fields its answers have.

export const SCHEMA_VERSION = 1;

export const SCHEMA_TEXT = `Schema version: ${SCHEMA_VERSION}

Storage (one database; a source is a collection)
  collection: name, title, description, category, tags, embedding, chunking, source, extra, createdAt, updatedAt
    source: kind (url, file, folder), location, url, variant (llms-full, llms, pages, custom, file), etag, lastModified, fetchedAt, changedAt, sha256
  document: collection, path, title, sha256, rawSha256, bytes, lines, headings, chunks, metadata, origin, fetchedAt, partial, indexedWith (version, chunking, model, graph, folder)
  heading: level, text, path, line, block, section, anchor
  chunk: ordinal, startLine, endLine, start, end, prefix, page, headingPath, block
  archived version: sha256, fetchedAt, archivedAt, lines, headings, bytes (10 kept per document)
  history event: at, collection, path, result (added, updated, unchanged, failed, removed, held), linesBefore, linesAfter, headingsBefore, headingsAfter, bytes, message

JSON
  find: hits[], snippets[], executed{searched, retrievedSnippets}, totalHits, totalIsBound, verdict, notices[]
    hit: alias, lines, page, headingPath[], snippet, score, relevance, sourceUrl, matchLines[], pageUrl, rev, fetchedAt, stale
    snippet: alias, lines, content, headingPath[], rev, requested, truncated, next, status, fetchedAt, stale
    notice: code, message, citation, alias
  list-sources: sources[], notices[]
    installed: alias, title, url, kind, fetchedAt, metadata{totalLines, headings}, stale, category, description, tags[], location
    registry: alias, url, kind, suggestedCommand, title, description, category
  source-add: alias, url, message, metadata{totalLines, headings}, notices[]
  run-command: stdout, stderr, exitCode
  error: code, name, message, hint, suggestions[]`;
