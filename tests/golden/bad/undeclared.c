double a[10];
for (int i = 0; i < 10; ++i)      b[i] = 1.0;
