export { FileListsTable as Component } from '@/features/fileLists/FileListsTable';
